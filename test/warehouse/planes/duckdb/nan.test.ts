import { afterAll, beforeAll, expect, test } from 'vitest';
import { compare, equals, not, oneOf } from '../../../../src/predicate/index.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import type { Literal } from '../../../../src/values/literal.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { dataFixture, field } from '../../../contracts/data-plane/build.ts';
import { Laboratory, tableOf } from '../../../contracts/data-plane/laboratory.ts';

const lab = new Laboratory();
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage() })));
afterAll(() => lab.close());

const table = tableOf([
  field(1, 'id', 'long'),
  field(2, 'x', 'double'),
  field(3, 'f', 'float'),
  field(4, 'st', { type: 'struct', fields: [field(5, 'b', 'double')] }),
]);
const file = dataFixture('pyarrow-26.0.1-nan.parquet', 4n);
const double = (value: string): Literal => ({ type: 'double', value });

test.each(['x', 'f', 'st.b'])(
  'NaN in %s is above all numbers, also where the statistics of the file leave it out',
  async (column) => {
    const wheres = [
      [compare(column, '>', double('5')), [3n]],
      [compare(column, '>=', double('2')), [2n, 3n]],
      [equals(column, double('NaN')), [3n]],
      [oneOf(column, [double('NaN'), double('7')]), [3n]],
      [not(compare(column, '<=', double('5'))), [3n]],
      [compare(column, '<', double('2')), [1n]],
    ] as const;
    for (const [where, ids] of wheres) {
      expect((await lab.readAll(table, [file], where)).map(({ id }) => id)).toEqual(ids);
      expect(await lab.plane.count(table, [file], where)).toBe(ids.length);
      const { target } = await lab.place();
      const changed = await lab.plane.change(table, [file], { delete: where }, target);
      expect(changed.rowsDeleted).toBe(ids.length);
    }
  },
);
