// The erasure ran in the warehouse; the application's export still has the learner, and the nightly reload brings them back.
// The register of erasures knows nobody by name, and still catches it.

import { erasedRows, filterErased } from 'lethe';
import { eraseLearner, exampleRegister, planForLearner } from './erasure.ts';
import { examplePlatform, say } from './notebook.ts';
import { crmExport } from './platform/index.ts';

const LEARNER = 3590;

// %% Erase the learner everywhere
const platform = await examplePlatform();
const { warehouse, governance } = platform;
const rows = new Map(
  (await planForLearner(platform, LEARNER)).steps.map(({ step, where }) => [step.table, where.reveal()]),
);
const register = await exampleRegister(platform);
await eraseLearner(platform, { learner: LEARNER, request: 'erasure-0001', register });
const [entry] = await register.entries();
say("the erasure register's entry", `${entry!.request} ${entry!.hash}`);
const count = (table: string): Promise<number> => warehouse.count(table, rows.get(table));
say("the learner's rows in crm.learners after the erasure", await count('crm.learners'));

// %% The nightly reload, from an export that nobody erased, and the pipelines after it
await warehouse.overwrite('crm.learners', crmExport());
await platform.run('learner_activity');
await platform.run('marketing_audience');
for (const table of ['crm.learners', 'analytics.learner_activity', 'marketing.audience']) {
  say(`the learner's rows in ${table} after the nightly run`, await count(table));
}

// %% The check that belongs after every load, restore and rebuild
const { tables } = await erasedRows(register, { warehouse, governance });
for (const { table, rows: back } of tables) {
  if (back > 0) say(`the check against the register, rows of erased learners in ${table}`, back);
}

// %% Better: let the load pass through the register, and they never come in
const filtered = await filterErased(register, crmExport(), { subject: governance.subjects.get('learner')! });
say('rows that the register keeps out of the next load', filtered.dropped);

await platform.close();
