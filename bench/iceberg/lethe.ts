// node lethe.mjs WORK FOLDER [IDS]: one work of the bench as Lethe does it, on the one table under a folder. Prints the CPU
// seconds and the peak that it took, what came of it and the table's newest metadata file.

import { system } from '../../src/cli/system.ts';
import { oneOf } from '../../src/predicate/index.ts';
import type { Literal } from '../../src/values/literal.ts';
import { openIceberg, type Warehouse } from '../../src/warehouse/index.ts';
import { peak } from '../peak.ts';

const [what, folder, ids] = process.argv.slice(2) as [string, string, string | undefined];
const personal = ['email', 'full_name', 'ip_address', 'user_agent', 'note'];

const works: Readonly<Record<string, (warehouse: Warehouse, table: string) => Promise<unknown>>> = {
  /** As an erasure deletes: hidden rows too. */
  async delete(warehouse, table) {
    const values = (JSON.parse(ids!) as readonly number[]).map(
      (id): Literal => ({ type: 'long', value: String(id) }),
    );
    const changed = await warehouse.change(
      table,
      { delete: oneOf('learner_id', values), physically: true },
      {},
    );
    return { rows: changed.rowsDeleted, files: changed.filesRemoved };
  },
  async scrub(warehouse, table) {
    const off = Object.fromEntries(personal.map((name) => [`write.metadata.metrics.column.${name}`, 'none']));
    await warehouse.setProperties(table, off, {});
    return warehouse.scrub(table, {}).then(({ boundsDropped }) => boundsDropped);
  },
  /** As a job cleans a table: the files that only old snapshots held, then what nothing names. */
  async expire(warehouse, table) {
    const now = system.clock.now() + 1;
    const expired = await warehouse.expire(table, { olderThan: now, minToKeep: 1, files: 'delete' });
    const swept = await warehouse.sweep(table, { minAgeMs: 0 });
    return expired.filesDeleted.length + swept.deleted.length;
  },
};

const warehouse = await openIceberg({
  catalog: { kind: 'directory', path: folder, takeOver: true },
  ...system,
});
const [table] = await warehouse.list();
const before = process.cpuUsage();
const result = await works[what]!(warehouse, table!);
const { user, system: kernel } = process.cpuUsage(before);
await warehouse.close();
process.stdout.write(JSON.stringify({ cpu: (user + kernel) / 1e6, peak: peak(), result }));
