// The plan's deletes, and nothing else. Read now, the learner is gone; read by time travel, they are all still there.

import type { Predicate } from 'lethe';
import { deleteOnly, planForLearner } from './erasure.ts';
import { examplePlatform, say } from './notebook.ts';

const LEARNER = 3590;

// %% The plan for one learner, and the snapshots that the tables have before anything is done
const platform = await examplePlatform();
const { warehouse } = platform;
const bound = await planForLearner(platform, LEARNER);
const where = new Map<string, Predicate>(bound.steps.map((each) => [each.step.table, each.where.reveal()]));
const before = new Map<string, bigint>();
for (const table of where.keys()) before.set(table, (await warehouse.describe(table)).currentSnapshotId!);

// %% Only the deletes
const done = await deleteOnly(bound, platform, 'erasure-0001');
for (const [table, rows] of done) {
  if (rows === 'rebuilt') say(table, rows);
  else say(`${table}, rows deleted`, rows);
}
const once = [...done].filter(([, rows]) => rows === 1).map(([table]) => table);
say('tables one row was deleted from', once.join(', '));

// %% The table that an exception keeps: its rows stay, the column that the exception does not need is empty
const payments = where.get('billing.payments')!;
const withCard: Predicate = {
  kind: 'and',
  of: [payments, { kind: 'not', of: { kind: 'is-null', column: 'card_number' } }],
};
say("billing.payments, the learner's rows kept", await warehouse.count('billing.payments', payments));
say('billing.payments, card numbers left in them', await warehouse.count('billing.payments', withCard));

// %% Now, and by time travel to the snapshot before
for (const table of ['crm.learners', 'learning.events']) {
  say(`the learner's rows in ${table}, read now`, await warehouse.count(table, where.get(table)));
  say(
    `the learner's rows in ${table}, read by time travel`,
    await warehouse.count(table, where.get(table), { snapshotId: before.get(table)! }),
  );
}

// %% What the commit cost and what it records: the request, and nothing of the person
const { summary } = (await warehouse.describe('crm.learners')).snapshots.at(-1)!;
say('crm.learners, rows written again to delete one', Number(summary['added-records']));
say('crm.learners, the commit records', summary['erasure-request']!);

// %% How many snapshots still hold what was deleted
let holding = 0;
let current = 0;
for (const { step, where: rows } of bound.steps) {
  if (step.action !== 'delete') continue;
  const { snapshots, currentSnapshotId } = await warehouse.describe(step.table);
  for (const { id } of snapshots) {
    if ((await warehouse.count(step.table, rows.reveal(), { snapshotId: id })) === 0) continue;
    holding++;
    if (id === currentSnapshotId) current++;
  }
}
say('snapshots that still hold the rows the erasure deleted', holding);
say('of them current', current);

await platform.close();
