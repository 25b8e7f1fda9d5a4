import { afterEach, beforeEach, expect, test } from 'vitest';
import { and, beforeDay, compare } from '../../../src/predicate/index.ts';
import { localStorage, type Storage } from '../../../src/storage/index.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { type Row, rowsTable } from '../../contracts/data-plane/rows.ts';
import { type Lake, makeLake } from '../../support/lake.ts';

const TABLE = 'web.events';
const COLUMNS = [
  { name: 'id', type: 'long' },
  { name: 'day', type: 'date' },
];
const FIELDS = COLUMNS.map((column, index) => ({ ...column, id: index + 1, required: false }));
/** The first days of June to October 2026, since 1970. */
const MONTHS = [6, 7, 8, 9, 10].map((month) => Date.UTC(2026, month - 1, 1) / 86_400_000);

let lake: Lake;
let warehouse: Warehouse;
let opened: string[];
let written: string[];
beforeEach(async () => {
  lake = await makeLake();
  [opened, written] = [[], []];
  warehouse = await lake.open({ storage: watched(localStorage()) });
  await lake.warehouse.create(TABLE, {
    columns: COLUMNS,
    partition: [{ column: 'day', transform: 'month' }],
  });
  // Each month comes with a commit of its own, and so with a manifest.
  for (const [month, first] of MONTHS.entries()) {
    const rows: readonly Row[] = [0, 1, 2].map((n) => ({ id: BigInt(month * 10 + n), day: first + n }));
    await lake.warehouse.append(TABLE, rowsTable(FIELDS, rows));
  }
});
afterEach(() => lake.close());

/** Notes the manifests that are read, and every file that is written. */
function watched(storage: Storage): Storage {
  return {
    ...storage,
    read: async (location, range) => {
      if (/-m\d+\.avro$/.test(location)) opened.push(location);
      return storage.read(location, range);
    },
    writeIfAbsent: async (location, bytes) => {
      written.push(location);
      return storage.writeIfAbsent(location, bytes);
    },
  };
}

const inJuly = and(
  compare('day', '>=', { type: 'date', value: '2026-07-01' }),
  compare('day', '<', { type: 'date', value: '2026-08-01' }),
);

test('only manifests whose partitions can hold a match are opened, once, to count, to read and to delete', async () => {
  expect(await warehouse.count(TABLE, inJuly)).toBe(3);
  for await (const batch of warehouse.read(TABLE, { where: inJuly })) expect(batch.numRows).toBe(3);
  const [july, ...more] = new Set(opened);
  expect([july === undefined, more]).toEqual([false, []]);
  opened = [];
  const one = and(inJuly, compare('id', '=', { type: 'long', value: '11' }));
  expect(await warehouse.change(TABLE, { delete: one }, {})).toMatchObject({
    rowsDeleted: 1,
    filesRemoved: 1,
  });
  expect(opened).toEqual([]);
  // Those that were not opened are the table's as before.
  expect(await lake.warehouse.count(TABLE)).toBe(14);
  expect((await lake.warehouse.describe(TABLE)).snapshots.at(-1)!.summary).toMatchObject({
    'manifests-kept': '4',
    'manifests-replaced': '1',
    'total-records': '14',
  });
});

test('R6: of what is due before a day, only the manifest that the day falls into is opened besides those that go whole', async () => {
  const due = beforeDay('day', { day: '2026-08-02', timeZone: 'UTC' });
  expect(await warehouse.change(TABLE, { delete: due }, {})).toMatchObject({ rowsDeleted: 7, filesAdded: 1 });
  expect(new Set(opened).size).toBe(3);
  expect(await lake.warehouse.count(TABLE)).toBe(8);
});

test('a column that is in no partition leaves all open: bounds of files decide then', async () => {
  expect(await warehouse.count(TABLE, compare('id', '=', { type: 'long', value: '11' }))).toBe(1);
  expect(new Set(opened).size).toBe(MONTHS.length);
});

test('a change that finds nothing writes no file, not even that it was tried', async () => {
  const nobody = compare('id', '=', { type: 'long', value: '999' });
  const work = { delete: nobody, physically: true };
  const { snapshotBefore, snapshotAfter } = await warehouse.change(TABLE, work, {});
  expect([snapshotAfter, written]).toEqual([snapshotBefore, []]);
});
