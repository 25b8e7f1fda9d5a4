import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isClean } from '../../src/erasure/job/index.ts';
import { type Found, type PlaceKind, scan, type Traces } from '../../src/scan/index.ts';
import type { Warehouse } from '../../src/warehouse/index.ts';
import { openPyIceberg } from './engines/pyiceberg.ts';
import { openSpark, type Spark } from './engines/spark.ts';
import { leftovers } from './leftovers.ts';
import type { Engine } from './matrix/engine.ts';
import { erasePerson, governanceOf, letheOn, tracesIn } from './matrix/erasure.ts';
import { FEATURES, PERSON } from './matrix/features.ts';
import { type Lake, makeLake } from './matrix/lake.ts';
import { pyicebergOn } from './matrix/pyiceberg.ts';
import { sparkOn } from './matrix/spark.ts';

/** A first install of everything is within it. */
const INSTALL_MS = 1_200_000;

const [TABLE, VIEW] = ['places.people', 'places.about_one'];
const { customer, email } = PERSON;

let lake: Lake;
let spark: Spark;
let engine: Engine;
let warehouse: Warehouse;
let traces: Traces;
let places: readonly Found[];
/** New files that hold the person after each step, as readers other than Lethe's see them. */
const planted = new Map<PlaceKind, readonly string[]>();

const full = (name: string): string => `${lake.name}.${name}`;
const holding = async (): Promise<readonly string[]> => [
  ...new Set(Object.values(await leftovers(lake.warehouse)).flat()),
];

/** How Spark and PyIceberg put the person into each kind of place (rule S4). */
const STEPS: Readonly<Partial<Record<PlaceKind, () => Promise<unknown>>>> = {
  data: () => engine.write('v2', TABLE),
  bound: () => spark.sql(`DELETE FROM ${full(TABLE)} WHERE id < 3`),
  footer: () => spark.sql(`UPDATE ${full(TABLE)} SET city = 'Rome' WHERE id = 3`),
  'delete-file': () => spark.equalityDelete({ table: full(TABLE), column: 'email', values: [email] }),
  partition: async () => {
    await spark.sql(`ALTER TABLE ${full(TABLE)} ADD PARTITION FIELD customer`);
    await engine.append(TABLE, 'v2', FEATURES.v2.written[2]!);
  },
  path: () => engine.append(TABLE, 'v2', FEATURES.v2.written[6]!),
  summary: async () => {
    const { append } = await openPyIceberg();
    const rows = FEATURES.v2.written.slice(0, 1);
    await append({ catalog: lake.name, table: TABLE, rows, summary: { 'asked-by': email } });
  },
  statistics: () => spark.sql(`CALL ${lake.name}.system.compute_table_stats(table => '${TABLE}')`),
  metadata: async () => {
    await spark.sql(`ALTER TABLE ${full(TABLE)} ALTER COLUMN city COMMENT 'as ${email} told us'`);
    await spark.sql(`CREATE VIEW ${full(VIEW)} AS SELECT * FROM ${full(TABLE)} WHERE email = '${email}'`);
  },
  other: async () => {
    const { location } = await warehouse.describe(TABLE);
    const rows = `SELECT customer, email FROM ${full(TABLE)} WHERE email = '${email}'`;
    await spark.sql(`INSERT OVERWRITE DIRECTORY '${location}/exports' USING csv ${rows}`);
  },
};

const KINDS = Object.keys(STEPS) as PlaceKind[];

/** A file as the scan shows it: without a value of the person in its path. */
const masked = (file: string): string =>
  file.replace(/^file:\/\//, '').replaceAll(`customer=${customer}`, 'customer=***');

async function found(): Promise<readonly Found[]> {
  const { tables, totals } = await scan({ warehouse, traces });
  expect(totals.notProven).toBe(0);
  return tables.flatMap((table) => table.found);
}

beforeAll(async () => {
  lake = await makeLake('sql', 'places', 'local');
  // It makes the tables of the catalog's database.
  await pyicebergOn(lake);
  engine = await sparkOn(lake);
  spark = await openSpark();
  warehouse = await letheOn(lake);
  const before = new Set<string>();
  for (const [kind, step] of Object.entries(STEPS)) {
    await step();
    if (kind === 'data') traces = await tracesIn(warehouse, TABLE);
    const now = await holding();
    planted.set(
      kind as PlaceKind,
      now.filter((file) => !before.has(file)),
    );
    for (const file of now) before.add(file);
  }
  places = await found();
}, INSTALL_MS);
afterAll(() => warehouse?.close());

test.each(KINDS)('S4: the scan finds the person whom another writer put into: %s', async (kind) => {
  const files = planted.get(kind)!.map(masked);
  expect(files).not.toEqual([]);
  const there = places.filter(({ file }) => files.includes(file));
  expect(there.map((place) => place.kind)).toContain(kind);
});

test('in all, it names the same files as other readers', async () => {
  const outside = (await holding()).map(masked);
  expect([...new Set(places.map(({ file }) => file))].sort()).toEqual([...new Set(outside)].sort());
  const views = places.filter(({ file }) => file.includes('/about_one/'));
  expect(views.map(({ kind }) => kind)).toContain('metadata');
});

test('an erasure takes all of it but what stands in definitions of columns and views, and says that it is not clean', async () => {
  const folder = await mkdtemp(join(inject('data'), 'job-'));
  const governance = governanceOf([TABLE]);
  const evidence = await erasePerson({ warehouse, governance, folder });
  expect(isClean(evidence)).toBe(false);
  const outside = await leftovers(lake.warehouse);
  expect(Object.keys(outside)).toEqual(['metadata']);
  expect(evidence.totals).toMatchObject({ filesHolding: outside.metadata!.length, notProven: 0 });
  expect(outside.metadata).toContainEqual(expect.stringContaining('/about_one/metadata/'));
});
