// Expiry takes snapshots out of the metadata; the files that only they named may stay behind, named by nothing. Here they
// are left on purpose, to be looked at; `erase` removes them at once. What is left after the sweep shows what Lethe adds:
// where other writers leave the bounds of a deleted file in a manifest, its own commits never write them.

import { noteTraces, scan } from 'lethe';
import { system } from 'lethe/system';
import { deleteOnly, planForLearner } from './erasure.ts';
import { examplePlatform, say } from './notebook.ts';

// %% The plan's deletes are done, and the values to look for were noted before
const platform = await examplePlatform();
const { warehouse, governance } = platform;
const bound = await planForLearner(platform, 3590);
const traces = await noteTraces({ bound, governance, warehouse });
await deleteOnly(bound, platform, 'erasure-0001');
const tables = bound.steps.map(({ step }) => step.table);
const holding = async (): Promise<number> => (await scan({ warehouse, traces })).totals.holding;

// %% Expire all old snapshots, and leave their files
let expired = 0;
for (const table of tables) {
  const options = { olderThan: system.clock.now() + 1, minToKeep: 1, files: 'leave' } as const;
  expired += (await warehouse.expire(table, options)).snapshots.length;
}
say('snapshots expired', expired);
say("files under the plan's tables", await sum(async (table) => (await filesUnder(table)).length));
say('files no metadata references', await sum(async (table) => (await warehouse.unreferenced(table)).length));
say('files holding the learner, after expiry', await holding());

// %% Sweep with the configured age, which every file here is younger than, and then with none: nobody else writes here
const sweep = (minAgeMs: number): Promise<number> =>
  sum(async (table) => (await warehouse.sweep(table, { minAgeMs })).deleted.length);
say('files swept with the configured minimum age', await sweep(governance.files.minAgeHours * 3_600_000));
say('files swept with no minimum age', await sweep(0));
say('files holding the learner, after the sweep', await holding());

await platform.close();

async function sum(count: (table: string) => Promise<number>): Promise<number> {
  let total = 0;
  for (const table of tables) total += await count(table);
  return total;
}

async function filesUnder(table: string): Promise<readonly string[]> {
  const files: string[] = [];
  const { location } = await warehouse.describe(table);
  for await (const file of warehouse.storage.list(location)) files.push(file.location);
  return files;
}
