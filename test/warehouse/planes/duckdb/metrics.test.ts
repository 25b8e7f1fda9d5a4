import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compare } from '../../../../src/predicate/index.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { field, long, NO_METRICS, plain, struct } from '../../../contracts/data-plane/build.ts';
import { Laboratory, tableOf } from '../../../contracts/data-plane/laboratory.ts';

const lab = new Laboratory();
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage() })));
afterAll(() => lab.close());

const FIELDS = [
  field(1, 'id', 'long'),
  field(2, 'day', 'date'),
  field(3, 'at', 'timestamptz'),
  field(4, 'ratio', 'double'),
  field(5, 'broken', 'float'),
  field(6, 'price', 'decimal(9, 2)'),
  field(7, 'who', 'string'),
  field(8, 'long', 'string'),
  field(9, 'key', 'uuid'),
  field(10, 'raw', 'binary'),
  field(11, 'place', struct(field(12, 'town', 'string'))),
  field(13, 'none', 'int'),
];

/** Several row groups, each with its own extremes: a NaN in one of them only, texts that no footer holds in another. */
const ROWS = `SELECT i AS id, DATE '2026-01-01' + (i % 1000 - 500)::INTEGER AS "day", make_timestamptz(i * 1000003 - 5000000000) AS at,
  CASE WHEN i % 7 = 0 THEN NULL ELSE i / 4 - 20000 END AS ratio, CASE i WHEN 150000 THEN 'NaN'::FLOAT ELSE (-i)::FLOAT END AS broken,
  (i / 100)::DECIMAL(9, 2) AS price, 'person ' || lpad(i::VARCHAR, 6, '0') || ' é' AS who,
  CASE WHEN i > 299990 THEN repeat('z', 300) ELSE 'x' END AS long, ('0' || substr(md5(i::VARCHAR), 2, 31))::UUID AS key,
  encode(i::VARCHAR) AS raw, CASE WHEN i % 2 = 0 THEN NULL ELSE {'town': CASE WHEN i % 3 = 0 THEN NULL ELSE 'T' || i END} END AS place,
  NULL::INTEGER AS "none" FROM range(300000) t(i)`;

test('counts and bounds of a file of many row groups are those that another reader finds in it', async () => {
  const { folder, target } = await lab.place();
  const duckdb = await DuckDBInstance.create(':memory:');
  const connection = await duckdb.connect();
  const query = async (sql: string): Promise<readonly unknown[]> =>
    (await connection.runAndReadAll(sql)).getRowsJson()[0]!;
  const location = join(folder, 'given.parquet');
  const ids = FIELDS.map(({ id, name }) =>
    name === 'place' ? 'place: {__duckdb_field_id: 11, town: 12}' : `"${name}": ${id}`,
  );
  await connection.run(`SET TimeZone = 'UTC'`);
  await connection.run(`COPY (${ROWS}) TO '${location}' (FORMAT parquet, FIELD_IDS {${ids.join(', ')}})`);
  const given = plain({
    content: 'data',
    location,
    format: 'parquet',
    specId: 0,
    partition: [],
    recordCount: 300_000n,
    fileSize: 1n,
    metrics: NO_METRICS,
  });
  const table = tableOf(FIELDS, { properties: { 'write.metadata.metrics.default': 'full' } });
  const changed = await lab.plane.change(table, [given], { delete: compare('id', '<', long(3)) }, target);
  const [{ location: written, metrics }] = changed.added as [(typeof changed.added)[number]];
  const groups = await query(`SELECT count(DISTINCT row_group_id) FROM parquet_metadata('${written}')`);
  expect(Number(groups[0])).toBeGreaterThan(1);

  for (const [id, [column, whole, encode]] of Object.entries(SINGLE_VALUES)) {
    const kept = id === '4' || id === '5' ? ` FILTER (NOT isnan(${column}))` : '';
    const nan = kept === '' ? 'NULL' : `count_if(isnan(${column}))`;
    const [nulls, nans, least, greatest] = await query(
      `SELECT count(*) - count(${column}), ${nan}, (min(${whole})${kept})::VARCHAR, (max(${whole})${kept})::VARCHAR FROM read_parquet('${written}')`,
    );
    const bound = (value: unknown): string | null =>
      value === null ? null : Buffer.from(encode(String(value))).toString('hex');
    const found = {
      nulls: metrics.nullCounts.get(Number(id)),
      nans: metrics.nanCounts.get(Number(id)) ?? null,
      least: hex(metrics.lowerBounds.get(Number(id))),
      greatest: hex(metrics.upperBounds.get(Number(id))),
    };
    expect({ column, ...found }).toEqual({
      column,
      nulls: BigInt(String(nulls)),
      nans: nans === null ? null : BigInt(String(nans)),
      least: bound(least),
      greatest: bound(greatest),
    });
    expect(metrics.valueCounts.get(Number(id))).toBe(299_997n);
  }
  connection.closeSync();
  duckdb.closeSync();
});

function littleEndian(bytes: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
}

const int = (value: string): Buffer => littleEndian(4, (into) => into.writeInt32LE(Number(value)));
const int64 = (value: string): Buffer => littleEndian(8, (into) => into.writeBigInt64LE(BigInt(value)));
const utf8 = (value: string): Buffer => Buffer.from(value, 'utf8');

/** Of each column by its id: its SQL, the SQL of what its bound is made of, and Appendix D's form of that. */
const SINGLE_VALUES: Readonly<Record<string, readonly [string, string, (value: string) => Uint8Array]>> = {
  1: ['id', 'id', int64],
  2: ['"day"', `("day" - DATE '1970-01-01')`, int],
  3: ['"at"', 'epoch_us("at")', int64],
  4: ['ratio', 'ratio', (value) => littleEndian(8, (into) => into.writeDoubleLE(Number(value)))],
  5: ['broken', 'broken', (value) => littleEndian(4, (into) => into.writeFloatLE(Number(value)))],
  // Unscaled, most significant byte first, in as few bytes as hold it.
  6: ['price', '(price * 100)::BIGINT', (value) => shortest(Number(value))],
  7: ['who', 'who', utf8],
  8: ['"long"', '"long"', utf8],
  9: ['key', 'key', (value) => Buffer.from(value.replaceAll('-', ''), 'hex')],
  10: ['raw', 'hex(raw)', (value) => Buffer.from(value, 'hex')],
  12: ['place.town', 'place.town', utf8],
  13: ['"none"', '"none"', int],
};

function shortest(value: number): Buffer {
  let bytes = 1;
  while (value >= 2 ** (8 * bytes - 1) || value < -(2 ** (8 * bytes - 1))) bytes += 1;
  return littleEndian(bytes, (into) => into.writeIntBE(value, 0, bytes));
}

function hex(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : Buffer.from(bytes).toString('hex');
}
