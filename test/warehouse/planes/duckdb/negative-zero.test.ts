import { decompress } from 'fzstd';
import { parquetReadObjects } from 'hyparquet';
import { asyncBufferFromFile } from 'hyparquet/src/node.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { equals } from '../../../../src/predicate/index.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { field, list, plain, struct } from '../../../contracts/data-plane/build.ts';
import { Laboratory } from '../../../contracts/data-plane/laboratory.ts';
import type { Row } from '../../../contracts/data-plane/rows.ts';

const lab = new Laboratory();
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage() })));
afterAll(() => lab.close());

const zeros = (id: number): number => [0, -0, 1.5][id % 3]!;
const fields = [
  field(1, 'id', 'long'),
  field(2, 'd', 'double'),
  field(3, 'f', 'float'),
  field(4, 's', struct(field(5, 'x', 'double'))),
  field(6, 'l', list(7, 'float')),
  field(8, 'm', { type: 'map', keyId: 9, key: 'string', valueId: 10, valueRequired: false, value: 'double' }),
];
const rowOf = (id: number, column: string): Row => {
  const value = zeros(id);
  const all = { d: value, f: value, s: { x: value }, l: [value, null], m: [['k', value] as const] };
  return { id: BigInt(id), [column]: all[column as keyof typeof all] };
};

/** Every number of one column of a file, as a reader that is not DuckDB finds them. */
async function numbersIn(location: string, column: string): Promise<readonly number[]> {
  const file = await asyncBufferFromFile(location);
  const rows = await parquetReadObjects({
    file,
    compressors: { ZSTD: (input) => decompress(input) },
    columns: [column],
  });
  const numbers = (value: unknown): readonly number[] => {
    if (typeof value === 'number') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbers) : [];
  };
  return rows.flatMap(numbers);
}

test.each(['d', 'f', 's', 'l', 'm'])(
  'zeros of both signs in %s stay as they are, written and written again',
  async (column) => {
    const ids = Array.from({ length: 300 }, (_, id) => id);
    const { table, files, target } = await lab.write(fields, [ids.map((id) => rowOf(id, column))]);
    expect(await numbersIn(files[0]!.file.location, column)).toEqual(ids.map(zeros));
    const work = { delete: equals('id', { type: 'long', value: '1' }) } as const;
    const { added } = await lab.plane.change(table, files, work, target);
    const left = ids.filter((id) => id !== 1).map(zeros);
    expect(await numbersIn(plain(added[0]!).file.location, column)).toEqual(left);
  },
);
