import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { equals } from '../../../../src/predicate/index.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import { parseJson } from '../../../../src/values/json.ts';
import type { PlaneTable } from '../../../../src/warehouse/data-plane.ts';
import { JsonReader } from '../../../../src/warehouse/iceberg/metadata/damaged.ts';
import { parseSchema } from '../../../../src/warehouse/iceberg/metadata/schema.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { bytes, dataFixture, long, plain } from '../../../contracts/data-plane/build.ts';
import { Laboratory } from '../../../contracts/data-plane/laboratory.ts';

const lab = new Laboratory();
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage() })));
afterAll(() => lab.close());

const schemaFile = new URL('../../../fixtures/data-files/pyiceberg-0.12.0.schema.json', import.meta.url);
const schemaJson = parseJson(readFileSync(schemaFile, 'utf8'));
const schema = parseSchema(new JsonReader('schema.json', 'schema', schemaJson), 'schema.json');
const table: PlaneTable = { table: 'crm.x', schema, properties: {}, structuralFieldIds: [] };
const file = dataFixture('pyiceberg-0.12.0.parquet', 2n);

/** The first row as the script that made the file gave it to PyIceberg, under the schema's new names. */
const AWKWARD = {
  id: 1n,
  n: -5n,
  price: 150n,
  big: -123456789012345678901234567890n,
  u: bytes('f0000000000000000000000000000001'),
  d: -365,
  t: 3_723_000_004n,
  ts: 1_577_836_800_000_001n,
  tz: 1_577_836_800_000_002n,
  name: '\ufeffzoë\0',
  l: ['a', null],
  m: [['k', 1n]],
  st: { aa: 'x', b: 1.5, z: null },
  ok: true,
  f: Number.NaN,
  extra: null,
};

test("reads PyIceberg's file under a schema that has changed since", async () => {
  const nothing = Object.fromEntries(schema.fields.map(({ name }) => [name, null]));
  expect(await lab.readAll(table, [file])).toEqual([AWKWARD, { ...nothing, id: 2n }]);
});

test('rewrites it without loss', async () => {
  const { target } = await lab.place();
  const result = await lab.plane.change(table, [file], { delete: equals('id', long(2)) }, target);
  expect(await lab.readAll(table, result.added.map(plain))).toEqual([AWKWARD]);
});
