// node history.mjs FOLDER SNAPSHOTS FILES: a table of many small commits, and beside every tenth data file one that nothing names.
import { link, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Int64, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { system } from '../../src/cli/system.ts';
import { openIceberg } from '../../src/warehouse/index.ts';

const [folder, snapshots, files] = process.argv.slice(2) as [string, string, string];
const each = Number(files) / Number(snapshots);
const table = 'learning.events';
const warehouse = await openIceberg({ catalog: { kind: 'directory', path: folder }, ...system });
await warehouse.create(table, {
  columns: [
    { name: 'learner_id', type: 'long' },
    { name: 'note', type: 'string' },
    { name: 'part', type: 'long' },
  ],
  partition: [{ column: 'part', transform: 'identity' }],
});
for (let commit = 0; commit < Number(snapshots); commit += 1) {
  // A file for each of the partitions.
  const parts = Array.from({ length: each }, (_, part) => BigInt(part));
  const rows = new Table({
    learner_id: vectorFromArray(
      parts.map((part) => BigInt(commit) * 1000n + part),
      new Int64(),
    ),
    note: vectorFromArray(
      parts.map((part) => `commit ${commit}, part ${part}`),
      new Utf8(),
    ),
    part: vectorFromArray(parts, new Int64()),
  });
  await warehouse.append(table, rows);
}
const { location } = await warehouse.describe(table);
await warehouse.close();
const data = join(location, 'data');
const named = (await readdir(data)).sort();
for (const name of named.filter((_, index) => index % 10 === 0))
  await link(join(data, name), join(data, name.replace('.parquet', '-stray.parquet')));
