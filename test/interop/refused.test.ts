import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ErasureRefused } from '../../src/erasure/index.ts';
import { scan } from '../../src/scan/index.ts';
import type { Warehouse } from '../../src/warehouse/index.ts';
import { leftovers, objectsUnder } from './leftovers.ts';
import type { Engine, EngineName } from './matrix/engine.ts';
import { erasePerson, governanceOf, letheOn } from './matrix/erasure.ts';
import { FEATURES } from './matrix/features.ts';
import { type Lake, makeLake } from './matrix/lake.ts';
import { REFUSED } from './matrix/plan.ts';
import { pyicebergOn } from './matrix/pyiceberg.ts';
import { sparkOn } from './matrix/spark.ts';
import { trinoOn } from './matrix/trino.ts';

/** A first install of everything is within it. */
const INSTALL_MS = 1_200_000;

const tables = REFUSED.map(({ writer, feature, code }) => ({
  table: `${writer}_refused.${feature}`,
  ...{ writer, feature, code },
}));
/** One that could be erased from, which stays whole with the others. */
const GOOD = 'spark_refused.v2';

let lake: Lake;
let engines: Readonly<Record<EngineName, Engine>>;
let warehouse: Warehouse;
let refused: ErasureRefused;
beforeAll(async () => {
  lake = await makeLake('sql', 'refused', 's3');
  // PyIceberg first: it makes the tables of a catalog's database.
  const pyiceberg = await pyicebergOn(lake);
  engines = { pyiceberg, spark: await sparkOn(lake), trino: await trinoOn(lake) };
  for (const { writer, feature, table } of tables) await engines[writer].write(feature, table);
  await engines.spark.write('v2', GOOD);
  warehouse = await letheOn(lake);
}, INSTALL_MS);
afterAll(() => warehouse?.close());

test('Lethe describes each, and says why it erases nothing from it', async () => {
  for (const { table, code } of tables)
    expect((await warehouse.describe(table)).refusals).toMatchObject([{ code }]);
  expect((await warehouse.describe(GOOD)).refusals).toEqual([]);
});

test('an erasure is refused for all of them by name, and no object in the bucket changes', async () => {
  const before = await objectsUnder(lake.warehouse);
  const folder = await mkdtemp(join(inject('data'), 'job-'));
  const governance = governanceOf(await warehouse.list());
  const failure = await erasePerson({ warehouse, governance, folder }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ErasureRefused);
  refused = failure as ErasureRefused;
  const named = refused.tables.map(({ table, code }) => `${table} ${code}`);
  expect([...named].sort()).toEqual(tables.map(({ table, code }) => `${table} ${code}`).sort());
  expect(await objectsUnder(lake.warehouse)).toEqual(before);
});

test('the scan finds the person in each, or calls what it cannot read not proven', async () => {
  const { tables: scanned } = await scan({ warehouse, traces: refused.traces });
  const holding = (await leftovers(lake.warehouse)).data ?? [];
  for (const { table, feature } of tables) {
    const { found, unread, notProven } = scanned.find((one) => one.table === table)!;
    const { location, dataFiles } = await warehouse.describe(table);
    const proven = holding.filter((file) => file.startsWith(`${location}/`));
    // What other readers find in Parquet, Lethe finds; of ORC it knows that it cannot say.
    expect(found.filter(({ kind }) => kind === 'data').map(({ file }) => file)).toEqual(
      expect.arrayContaining(proven),
    );
    expect(notProven).toBe(new Set(unread.map(({ file }) => file)).size);
    if (feature === 'orc') expect(notProven).toBe(dataFiles);
    else expect(found.filter(({ kind }) => kind === 'data')).not.toEqual([]);
  }
});

test.each(tables)('$writer goes on with $feature', async ({ writer, feature, table }) => {
  const row = ['101', '1010', 'person101@example.org', ...FEATURES[feature].columns.slice(3).map(() => null)];
  await engines[writer].append(table, feature, row);
  expect((await warehouse.describe(table)).rows).toBe(9);
});
