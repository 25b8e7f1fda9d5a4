import { afterAll, beforeAll, expect, test } from 'vitest';
import { equals, oneOf } from '../../../../src/predicate/index.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import type { Literal } from '../../../../src/values/literal.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { dataFixture, field, plain } from '../../../contracts/data-plane/build.ts';
import { Laboratory, tableOf } from '../../../contracts/data-plane/laboratory.ts';

const lab = new Laboratory();
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage() })));
afterAll(() => lab.close());

const table = tableOf([field(1, 'id', 'string'), field(2, 'n', 'long')]);
const file = dataFixture('pyarrow-26.0.1-old-statistics.parquet', 3n);
const text = (value: string): Literal => ({ type: 'text', value });

test.each(['é1', 'm', 'z'])(
  '%s is found and deleted in a file with statistics of signed bytes',
  async (id) => {
    const where = equals('id', text(id));
    expect(await lab.readAll(table, [file], where)).toMatchObject([{ id }]);
    expect(await lab.plane.count(table, [file], where)).toBe(1);
    const { target } = await lab.place();
    const { added, rowsDeleted } = await lab.plane.change(table, [file], { delete: where }, target);
    expect(rowsDeleted).toBe(1);
    const left = await lab.readAll(table, added.map(plain));
    expect(left.map((row) => row.id)).toEqual(['é1', 'm', 'z'].filter((other) => other !== id));
  },
);

test('so are many at once', async () => {
  expect(await lab.plane.count(table, [file], oneOf('id', ['m', 'z', 'x'].map(text)))).toBe(2);
});
