import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beforeDay, compare } from '../../../src/predicate/index.ts';
import { parseJson, stringifyJson } from '../../../src/values/json.ts';
import { cellsOf, type Row, rowsTable } from '../../contracts/data-plane/rows.ts';
import { stateOf } from '../../support/delete-files.ts';
import { type Lake, makeLake } from '../../support/lake.ts';
import { filesUnder } from '../../support/manifests.ts';

const TABLE = 'web.events';
const COLUMNS = [
  { name: 'id', type: 'long' },
  { name: 'who', type: 'string' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'timestamptz' },
  { name: 'price', type: 'decimal(9, 2)' },
];
const FIELDS = COLUMNS.map((column, index) => ({ ...column, id: index + 1, required: false }));
const DAY = 86_400_000_000n;

/** Rows around 1970 and today, with nulls and texts of more than one byte a character. */
const ROWS: readonly Row[] = Array.from({ length: 60 }, (_, n) => {
  const day = n % 2 === 0 ? n - 30 : 20_700 + n;
  return {
    id: BigInt(n),
    who: n % 7 === 6 ? null : `${'äbc😀'.slice(n % 3)}${n % 4}`,
    day: n % 9 === 8 ? null : day,
    at: n % 8 === 7 ? null : BigInt(day) * DAY + BigInt(n) * 3_600_000_001n,
    price: n % 6 === 5 ? null : BigInt(n * 37 - 500),
  };
});

let lake: Lake;
beforeEach(async () => {
  lake = await makeLake();
});
afterEach(() => lake.close());

const read = async (): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for await (const batch of lake.warehouse.read(TABLE)) rows.push(...cellsOf(batch));
  return rows.sort((a, b) => Number((a.id as bigint) - (b.id as bigint)));
};
const files = async () => (await stateOf(lake, TABLE)).files({});

/** What a day's or an instant's partition is, by the calendar of JavaScript. */
const date = (days: number): Date => new Date(days * 86_400_000);
const ofDay = (row: Row, of: (date: Date) => unknown): unknown =>
  row.day === null ? null : of(date(row.day as number));
const floor = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by;
const micros = (row: Row, by: bigint): unknown => (row.at === null ? null : floor(row.at as bigint, by));

/** By transform: what rows of one file share. */
const CASES: readonly (readonly [string, string, (row: Row) => unknown])[] = [
  ['identity', 'who', (row) => row.who],
  ['identity', 'price', (row) => row.price],
  ['truncate[2]', 'who', (row) => (row.who === null ? null : [...(row.who as string)].slice(0, 2).join(''))],
  ['truncate[100]', 'price', (row) => (row.price === null ? null : floor(row.price as bigint, 100n))],
  ['truncate[10]', 'id', (row) => floor(row.id as bigint, 10n)],
  ['year', 'day', (row) => ofDay(row, (day) => day.getUTCFullYear())],
  ['month', 'day', (row) => ofDay(row, (day) => [day.getUTCFullYear(), day.getUTCMonth()])],
  ['day', 'day', (row) => row.day],
  ['day', 'at', (row) => micros(row, DAY)],
  ['hour', 'at', (row) => micros(row, DAY / 24n)],
  ['void', 'who', () => 'one'],
];

describe('rows of a partitioned table', () => {
  test.each(CASES)(
    '%s of %s: each file holds one partition, all rows are there, and erasing keeps it so',
    async (transform, column, of) => {
      const { warehouse } = lake;
      await warehouse.create(TABLE, { columns: COLUMNS, partition: [{ column, transform }] });
      const added = await warehouse.append(TABLE, rowsTable(FIELDS, ROWS));
      const kinds = new Set(ROWS.map((row) => String(of(row))));
      expect(added).toMatchObject({ rowsAdded: ROWS.length, filesAdded: kinds.size });
      expect(await read()).toEqual(ROWS);
      const partitions = (await files()).map(({ file }) => JSON.stringify(file.partition));
      expect(new Set(partitions).size).toBe(kinds.size);
      for (const row of ROWS.slice(0, 12)) {
        // Only the files that can hold the row are opened: those that the partition proves not to are left out.
        const where = compare('id', '=', { type: 'long', value: String(row.id) });
        expect(await warehouse.count(TABLE, where)).toBe(1);
      }
      const gone = ROWS[4]!;
      await warehouse.change(
        TABLE,
        { delete: compare('id', '=', { type: 'long', value: String(gone.id) }) },
        {},
      );
      expect(await read()).toEqual(ROWS.filter((row) => row !== gone));
      expect((await files()).every(({ file }) => partitions.includes(JSON.stringify(file.partition)))).toBe(
        true,
      );
    },
  );

  test('buckets: every row of a value is in one bucket, and all values are found', async () => {
    const { warehouse } = lake;
    const partition = [
      { column: 'id', transform: 'bucket[4]' },
      { column: 'who', transform: 'bucket[2]' },
    ];
    await warehouse.create(TABLE, { columns: COLUMNS, partition });
    await warehouse.append(TABLE, rowsTable(FIELDS, [...ROWS, { ...ROWS[34]!, id: 34n }]));
    expect(await warehouse.count(TABLE)).toBe(61);
    // The specification's value: 34 hashes to 2017239379, whose bucket of 4 is 3.
    const of34 = [];
    for (const { file } of await files()) {
      const bucket = file.partition[0]!.value;
      if (bucket === '3') of34.push(file);
    }
    expect(2017239379 % 4).toBe(3);
    expect(of34.length).toBeGreaterThan(0);
    expect(await warehouse.count(TABLE, compare('id', '=', { type: 'long', value: '34' }))).toBe(2);
  });

  test('R6: rows that are due by the partition go with their files, which are not even read', async () => {
    const { warehouse } = lake;
    await warehouse.create(TABLE, { columns: COLUMNS, partition: [{ column: 'day', transform: 'month' }] });
    await warehouse.append(TABLE, rowsTable(FIELDS, ROWS));
    // Damaged on purpose: whoever reads a data file fails.
    for (const file of await filesUnder(lake.path)) {
      if (file.endsWith('.parquet')) await writeFile(lake.path + file, 'x');
    }
    const due = ROWS.filter(({ day }) => day !== null && (day as number) < 20_500);
    const changed = await warehouse.change(
      TABLE,
      { delete: beforeDay('day', { day: '2026-02-01', timeZone: 'UTC' }) },
      {},
    );
    expect(changed).toMatchObject({ rowsDeleted: due.length, filesAdded: 0, rowsAdded: 0 });
    expect((await warehouse.describe(TABLE)).snapshots.at(-1)).toMatchObject({ operation: 'delete' });
    expect((await warehouse.describe(TABLE)).rows).toBe(ROWS.length - due.length);
  });

  test('partitions that change: files keep the spec they were written by, new ones take the new', async () => {
    const { warehouse } = lake;
    await warehouse.create(TABLE, { columns: COLUMNS, partition: [{ column: 'day', transform: 'month' }] });
    await warehouse.append(TABLE, rowsTable(FIELDS, ROWS.slice(0, 30)));
    const folder = join(lake.path, 'web/events/metadata');
    const hint = (await readFile(join(folder, 'version-hint.text'), 'utf8')).trim();
    const path = join(folder, `v${hint}.metadata.json`);
    const document = parseJson(await readFile(path, 'utf8')) as Record<string, unknown>;
    const spec = {
      'spec-id': 1,
      fields: [{ 'source-id': 2, 'field-id': 1001, name: 'who_trunc', transform: 'truncate[1]' }],
    };
    await writeFile(
      path,
      stringifyJson({
        ...document,
        'partition-specs': [...(document['partition-specs'] as object[]), spec],
        'default-spec-id': 1,
        'last-partition-id': 1001,
      }),
    );
    await warehouse.append(TABLE, rowsTable(FIELDS, ROWS.slice(30)));
    expect(await read()).toEqual(ROWS);
    expect(new Set((await files()).map(({ file }) => file.specId))).toEqual(new Set([0, 1]));
    await warehouse.change(TABLE, { delete: compare('id', '<', { type: 'long', value: '32' }) }, {});
    expect(await read()).toEqual(ROWS.slice(32));
    await warehouse.overwrite(TABLE, rowsTable(FIELDS, ROWS.slice(0, 2)), {
      where: compare('id', '<', { type: 'long', value: '50' }),
    });
    expect(await read()).toEqual([...ROWS.slice(0, 2), ...ROWS.slice(50)]);
    expect(new Set((await files()).map(({ file }) => file.specId))).toEqual(new Set([1]));
  });

  test.each([
    [{ column: 'nobody', transform: 'identity' }],
    [{ column: 'who', transform: 'month' }],
    [{ column: 'id', transform: 'zorder' }],
    [{ column: 'id', transform: 'bucket[0]' }],
    [{ column: 'id', transform: 'bucket[4]', name: 'who' }],
  ])('a partition %j is refused when the table is made', async (partition) => {
    const create = lake.warehouse.create(TABLE, { columns: COLUMNS, partition: [partition] });
    await expect(create).rejects.toMatchObject({ code: 'warehouse/partition' });
  });
});
