import { afterAll, beforeAll, expect, test } from 'vitest';
import { compare, equals } from '../../../../src/predicate/index.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { dataFixture, field, long, plain } from '../../../contracts/data-plane/build.ts';
import { Laboratory, tableOf } from '../../../contracts/data-plane/laboratory.ts';

const lab = new Laboratory();
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage() })));
afterAll(() => lab.close());

const table = tableOf([field(1, 'id', 'long'), field(2, 'at', 'timestamp'), field(3, 'seen', 'timestamptz')]);
const file = dataFixture('pyarrow-26.0.1-int96.parquet', 3n);
// In microseconds: 2026-01-02 03:04:05.123456, and 1950-01-01.
const [NEW, OLD] = [1_767_323_045_123_456n, -631_152_000_000_000n];
const ROWS = [
  { id: 1n, at: NEW, seen: NEW },
  { id: 2n, at: null, seen: null },
  { id: 3n, at: OLD, seen: OLD },
];

test('instants in INT96 are read as microseconds, with and without a zone', async () => {
  expect(await lab.readAll(table, [file])).toEqual(ROWS);
});

test.each(['timestamp', 'timestamptz'] as const)('rows are told apart by a %s in INT96', async (type) => {
  const column = type === 'timestamp' ? 'at' : 'seen';
  const zone = type === 'timestamp' ? '' : 'Z';
  const after = compare(column, '>', { type, value: `2000-01-01T00:00:00${zone}` });
  expect(await lab.readAll(table, [file], after)).toEqual([ROWS[0]]);
  const same = equals(column, { type, value: `1950-01-01T00:00:00${zone}` });
  expect(await lab.plane.count(table, [file], same)).toBe(1);
});

test('a file with them is written again with every other row as it was', async () => {
  const { target } = await lab.place();
  const where = equals('id', long(3));
  const { added } = await lab.plane.change(table, [file], { delete: where }, target);
  expect(await lab.readAll(table, added.map(plain))).toEqual(ROWS.slice(0, 2));
});
