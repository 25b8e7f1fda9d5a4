import { inspect } from 'node:util';
import { tableFromArrays } from 'apache-arrow';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { equals } from '../../../src/predicate/index.ts';
import { type Lake, makeLake } from '../../support/lake.ts';

const TABLE = 'crm.people';
const NAMES = ['Ağaoğlu', 'Émile de la Fontaine-Saint-Cyr', 'Bo'];

let lake: Lake;
beforeEach(async () => {
  lake = await makeLake();
});
afterEach(() => lake.close());

async function make(properties: Readonly<Record<string, string>>): Promise<void> {
  const columns = [
    { name: 'id', type: 'long' },
    { name: 'name', type: 'string' },
  ];
  await lake.warehouse.create(TABLE, { columns, properties });
  const id = BigInt64Array.from(NAMES, (_, index) => 9_007_199_254_740_993n + BigInt(index));
  await lake.warehouse.append(TABLE, tableFromArrays({ id, name: NAMES }));
}

async function bounds(): Promise<readonly (readonly unknown[])[]> {
  return (await lake.warehouse.bounds(TABLE)).map(({ column, live, values }) => [
    column,
    live,
    values.reveal(),
  ]);
}

describe('the bounds in manifests', () => {
  test('are the smallest and largest values by bytes, cut to 16 characters with the last raised, ids exact', async () => {
    await make({});
    expect(await bounds()).toEqual([
      ['id', true, { lower: '9007199254740993', upper: '9007199254740995' }],
      // 'É' is above every ASCII letter; the 16th character of the largest is raised by one.
      ['name', true, { lower: 'Ağaoğlu', upper: 'Émile de la Fonu' }],
    ]);
  });

  test('are not there for columns whose statistics are off', async () => {
    await make({ 'write.metadata.metrics.column.name': 'none' });
    expect((await bounds()).map(([column]) => column)).toEqual(['id']);
  });

  test('go with the file they were of: a deleted entry keeps none', async () => {
    await make({});
    await lake.warehouse.change(TABLE, { delete: equals('name', { type: 'text', value: NAMES[1]! }) }, {});
    expect(await bounds()).toEqual([
      ['id', true, { lower: '9007199254740993', upper: '9007199254740995' }],
      ['name', true, { lower: 'Ağaoğlu', upper: 'Bo' }],
    ]);
  });

  test('are not printed', async () => {
    await make({});
    const found = await lake.warehouse.bounds(TABLE);
    expect(`${inspect(found, { depth: 9 })}${JSON.stringify(found)}`).not.toMatch(
      /Ağaoğlu|Émile|9007199254740993/,
    );
  });
});
