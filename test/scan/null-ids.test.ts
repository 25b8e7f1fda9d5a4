import { Int64, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { equals, not, oneOf } from '../../src/predicate/index.ts';
import type { Predicate } from '../../src/predicate/predicate.ts';
import { makeTraces, type ScanReport, scan } from '../../src/scan/index.ts';
import { ALL_BUT_CURRENT } from '../support/all-but-current.ts';
import { type Lake, makeLake } from '../support/lake.ts';
import { id, long } from './support/sought.ts';

const TABLE = 'crm.visits';
const FIRST = [3n, null, 7n] as const;
const SECOND = [null, null] as const;

let lake: Lake;
beforeEach(async () => {
  lake = await makeLake();
  await lake.warehouse.create(TABLE, {
    columns: [
      { name: 'id', type: 'long' },
      { name: 'note', type: 'string' },
    ],
  });
  for (const ids of [FIRST, SECOND]) {
    const columns = {
      id: vectorFromArray(ids, new Int64()),
      note: vectorFromArray(ids.map(String), new Utf8()),
    };
    await lake.warehouse.append(TABLE, new Table(columns));
  }
});
afterEach(() => lake.close());

async function idsLeft(): Promise<readonly (bigint | null)[]> {
  const left: (bigint | null)[] = [];
  for await (const batch of lake.warehouse.read(TABLE)) {
    const column = batch.getChild('id')!;
    for (let row = 0; row < batch.numRows; row += 1) left.push(column.get(row) as bigint | null);
  }
  return left.sort((a, b) => Number(a ?? 0n) - Number(b ?? 0n));
}

const scanFor = (value: bigint): Promise<ScanReport> =>
  scan({
    warehouse: lake.warehouse,
    traces: makeTraces({ subject: 'learner', texts: [], ids: [id('id', long(value))] }),
  });

test('a row with a null id is nobody: the same in count, delete and scan', async () => {
  const { warehouse } = lake;
  const wheres: readonly (readonly [Predicate, number])[] = [
    [equals('id', long(3)), 1],
    [oneOf('id', [long(3), long(99)]), 1],
    [not(oneOf('id', [long(3)])), 1],
    [equals('id', long(0)), 0],
  ];
  for (const [where, rows] of wheres) expect(await warehouse.count(TABLE, where)).toBe(rows);
  expect((await scanFor(3n)).totals.holding).toBeGreaterThan(0);
  // Null is stored as nothing, and nothing is no 0.
  expect((await scanFor(0n)).totals).toMatchObject({ holding: 0, notProven: 0 });

  await warehouse.scrub(TABLE, {});
  const deleted = await warehouse.change(TABLE, { delete: equals('id', long(3)), physically: true }, {});
  expect(deleted).toMatchObject({ rowsDeleted: 1, filesRemoved: 1, filesAdded: 1 });
  await warehouse.expire(TABLE, ALL_BUT_CURRENT);
  expect(await idsLeft()).toEqual([null, null, null, 7n]);
  expect((await scanFor(3n)).totals).toMatchObject({ holding: 0, notProven: 0 });

  const others = await warehouse.change(TABLE, { delete: not(oneOf('id', [long(3)])), physically: true }, {});
  expect(others.rowsDeleted).toBe(1);
  expect(await idsLeft()).toEqual([null, null, null]);
});
