// Applying the rules deletes rows, and a delete is only the first step: the snapshot before it still has them, for
// everybody who may travel in time, until it is expired.

import { applyRetention, due, expireByAge } from 'lethe';
import { system } from 'lethe/system';
import { examplePlatform, say, TODAY } from './notebook.ts';

// %% The tables that a rule ends, as they are before
const platform = await examplePlatform({ only: ['support.tickets', 'learning.events', 'billing.payments'] });
const { warehouse, governance } = platform;
const tables = [...governance.retention.keys()].sort();
const before = new Map<string, bigint>();
for (const table of tables) before.set(table, (await warehouse.describe(table)).currentSnapshotId!);

// %% Once, and once more: the second run finds nothing and commits nothing
const applied = await applyRetention({ warehouse, governance, day: TODAY });
const again = await applyRetention({ warehouse, governance, day: TODAY });
for (const { table, deleted } of applied.tables) say(`${table}, rows deleted`, deleted);
say(
  'rows deleted by running again for the same day',
  again.tables.reduce((sum, { deleted }) => sum + deleted, 0),
);

// %% What each delete left behind
for (const { table, deleted } of applied.tables) {
  if (deleted === 0) continue;
  const { snapshots } = await warehouse.describe(table);
  const { summary } = snapshots.at(-1)!;
  say(`${table}, snapshots`, snapshots.map(({ operation }) => operation).join(' then '));
  say(`${table}, rows written again to delete the others`, Number(summary['added-records']));
  say(`${table}, the commit records`, `${summary['retention-rule']} on ${summary['retention-day']}`);

  const [rule] = governance.retention.get(table)!;
  const rows = due(rule!, TODAY);
  say(`${table}, rows due, read now`, await warehouse.count(table, rows));
  say(
    `${table}, rows due, read by time travel`,
    await warehouse.count(table, rows, { snapshotId: before.get(table)! }),
  );

  // Snapshots carry the times of their commits, so their age is told against an instant that the caller names.
  const now = system.clock.now();
  const sixDays = 6 * 86_400_000;
  say(
    `${table}, snapshots expired by age today`,
    (await expireByAge({ warehouse, table, instant: now })).snapshots.length,
  );
  say(
    `${table}, snapshots expired by age six days later`,
    (await expireByAge({ warehouse, table, instant: now + sixDays })).snapshots.length,
  );
}

await platform.close();
