import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { equals } from '../../../../src/predicate/index.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import type { PlaneFile } from '../../../../src/warehouse/data-plane.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { field, list, long, NO_METRICS, plain, struct } from '../../../contracts/data-plane/build.ts';
import { failure, Laboratory, tableOf } from '../../../contracts/data-plane/laboratory.ts';

const lab = new Laboratory();
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage() })));
afterAll(() => lab.close());

/** A file without field ids, as Hive and others write them. */
async function bare(
  select: string,
  rows: bigint,
  partition: PlaneFile['file']['partition'] = [],
): Promise<PlaneFile> {
  const { folder } = await lab.place();
  const location = join(folder, 'bare.parquet');
  const duckdb = await DuckDBInstance.create(':memory:');
  const connection = await duckdb.connect();
  await connection.run(`COPY (${select}) TO '${location}' (FORMAT parquet)`);
  connection.closeSync();
  duckdb.closeSync();
  return plain({
    content: 'data',
    location,
    format: 'parquet',
    specId: 0,
    partition,
    recordCount: rows,
    fileSize: 1n,
    metrics: NO_METRICS,
  });
}

const FIELDS = [
  field(1, 'id', 'long'),
  field(2, 'who', 'string'),
  field(3, 'at', struct(field(4, 'town', 'string'), field(5, 'zip', 'long'))),
  field(6, 'all', list(7, struct(field(8, 'k', 'string')))),
  { ...field(9, 'level', 'int'), initialDefault: 7 },
  field(10, 'day', 'date'),
];
const MAPPING = [
  { 'field-id': 1, names: ['id', 'a.b'] },
  { 'field-id': 2, names: ['file'] },
  {
    'field-id': 3,
    names: ['at'],
    fields: [
      { 'field-id': 4, names: ['city'] },
      { 'field-id': 5, names: ['zip'] },
    ],
  },
  {
    'field-id': 6,
    names: ['all'],
    fields: [{ 'field-id': 7, names: ['element'], fields: [{ 'field-id': 8, names: ['k'] }] }],
  },
  { 'field-id': 9, names: ['level'] },
  { names: ['nobody'] },
];
const named = { 'schema.name-mapping.default': JSON.stringify(MAPPING) };
const SELECT = `SELECT i::INTEGER AS "a.b", 'p' || i AS file, {'zip': i::INTEGER, 'city': 'Ulm', 'other': 'x'} AS at, [{'k': 'v'}, NULL] AS "all", 'secret' AS nobody, 1 AS who FROM range(1, 4) t(i)`;
const rows = [1, 2, 3].map((id) => ({
  id: BigInt(id),
  who: `p${id}`,
  at: { town: 'Ulm', zip: BigInt(id) },
  all: [{ k: 'v' }, null],
  level: 7,
  day: null,
}));

describe('files without field ids', () => {
  test('are read and rewritten by the names of the mapping only', async () => {
    const table = tableOf(FIELDS, { properties: named });
    const file = await bare(SELECT, 3n);
    expect(await lab.readAll(table, [file])).toEqual(rows);
    expect(await lab.plane.count(table, [file], equals('at.zip', long(2)))).toBe(1);
    const { target } = await lab.place();
    const changed = await lab.plane.change(table, [file], { delete: equals('id', long(2)) }, target);
    expect(await lab.readAll({ ...table, properties: {} }, changed.added.map(plain))).toEqual(
      rows.filter(({ id }) => id !== 2n),
    );
  });

  test('of other types of one column are each read as what they hold', async () => {
    const fields = [field(1, 'id', 'long'), field(2, 'score', 'double'), field(3, 'price', 'decimal(12, 2)')];
    const mapping = fields.map(({ id, name }) => ({ 'field-id': id, names: [name] }));
    const table = tableOf(fields, { properties: { 'schema.name-mapping.default': JSON.stringify(mapping) } });
    const files = [
      await bare('SELECT 1::INTEGER AS id, 0.5::FLOAT AS score, 1.25::DECIMAL(4, 2) AS price', 1n),
      await bare('SELECT 5000000000 AS id, 0.1::DOUBLE AS score, 7654321.25::DECIMAL(12, 2) AS price', 1n),
    ];
    const [old, widened] = [
      { id: 1n, score: 0.5, price: 125n },
      { id: 5_000_000_000n, score: 0.1, price: 765_432_125n },
    ];
    expect(await lab.readAll(table, files)).toEqual([old, widened]);
    expect(await lab.readAll(table, files.toReversed())).toEqual([widened, old]);
    const { target } = await lab.place();
    const changed = await lab.plane.change(
      table,
      files,
      { delete: equals('id', long(5_000_000_000)) },
      target,
    );
    expect(changed).toMatchObject({ rowsDeleted: 1, removed: [files[1]!.file.location], added: [] });
  });

  test('take the value of an identity partition for a column that they lack', async () => {
    const table = { ...tableOf(FIELDS, { properties: named }), identities: new Map([[0, [10, null, 9]]]) };
    const file = await bare(SELECT, 3n, [
      { type: 'date', value: '2026-02-03' },
      { type: 'int', value: '1' },
      null,
    ]);
    const expected = rows.map((row) => ({ ...row, level: null, day: 20_487 }));
    expect(await lab.readAll(table, [file])).toEqual(expected);
    const where = equals('day', { type: 'date', value: '2026-02-03' });
    expect(await lab.plane.count(table, [file], where)).toBe(3);
  });

  test('are refused without a mapping, with a broken one, and with names that differ in case only', async () => {
    const file = await bare(SELECT, 3n);
    const codeOf = async (properties: Record<string, string>, of = file): Promise<string> =>
      (await failure(lab.plane.count(tableOf(FIELDS, { properties }), [of]))).code;
    expect(await codeOf({})).toBe('plane/no-field-ids');
    for (const broken of ['', '{}', '[{"field-id": "1", "names": []}]', '[{"field-id": 1}]', '[null]'])
      expect(await codeOf({ 'schema.name-mapping.default': broken })).toBe('plane/name-mapping');
    expect(await codeOf(named, await bare('SELECT 1 AS file_row_number', 1n))).toBe('plane/file-schema');
  });

  test('hide rows where they are position deletes, which need no mapping; without the two columns they are refused', async () => {
    const table = tableOf(FIELDS, { properties: named });
    const data = await bare(SELECT, 3n);
    const deletes = async (select: string): Promise<PlaneFile> => {
      const { file } = await bare(select, 1n);
      return { ...data, deletes: [{ ...file, content: 'position-deletes' }] };
    };
    const hidden = await deletes(`SELECT '${data.file.location}' AS file_path, 1::BIGINT AS pos`);
    expect(await lab.readAll(table, [hidden])).toEqual(rows.filter(({ id }) => id !== 2n));
    const { target } = await lab.place();
    const changed = await lab.plane.change(table, [hidden], { delete: equals('id', long(1)) }, target);
    expect(await lab.readAll(table, changed.added.map(plain))).toEqual(rows.filter(({ id }) => id === 3n));
    const other = await deletes(`SELECT '${data.file.location}' AS path, 1::BIGINT AS pos`);
    const refusal = await failure(lab.plane.count(table, [other]));
    expect(refusal).toMatchObject({ kind: 'refused', code: 'plane/delete-columns' });
  });
});
