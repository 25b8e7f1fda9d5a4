// The job looks at every table of its plan before it changes the first. Where a table's own settings would keep the person,
// it refuses as a whole and names all such tables; looking for the person still works, and finds them where they are.

import { ErasureRefused, scan } from 'lethe';
import { eraseLearner } from './erasure.ts';
import { examplePlatform, say } from './notebook.ts';

// %% Two owners have set what they have set
const platform = await examplePlatform();
const { warehouse } = platform;
await warehouse.setProperties('crm.learners', { 'gc.enabled': 'false' }, {});
await warehouse.setProperties('learning.events', { 'history.expire.min-snapshots-to-keep': '3' }, {});
const before = await snapshots();

// %% The job, which does not start
const refusal = await eraseLearner(platform, { learner: 3590, request: 'erasure-0001' }).catch(
  (error: unknown) => error,
);
if (!(refusal instanceof ErasureRefused)) throw refusal;
for (const { table, reason } of refusal.tables) say(`the job refuses, because of ${table}`, reason);

// %% Nothing has changed, and the scan finds the learner
const after = await snapshots();
say('tables the job changed', [...after].filter(([table, id]) => before.get(table) !== id).length);
const { tables, totals } = await scan({ warehouse, traces: refusal.traces });
say('tables whose files hold the learner', tables.filter(({ holding }) => holding > 0).length);
say('files holding the learner', totals.holding);

await platform.close();

async function snapshots(): Promise<ReadonlyMap<string, bigint | null>> {
  const found = new Map<string, bigint | null>();
  for (const table of await warehouse.list())
    found.set(table, (await warehouse.describe(table)).currentSnapshotId);
  return found;
}
