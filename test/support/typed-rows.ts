import type { DuckDBConnection } from '@duckdb/node-api';
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  FixedSizeBinary,
  Float64,
  Int32,
  Int64,
  makeData,
  Struct,
  Table,
  TimeMicrosecond,
  TimestampMicrosecond,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';

/** A column of a generated table, and its type in Iceberg's, Arrow's and DuckDB's words. */
export interface TypedColumn {
  readonly name: string;
  readonly path: readonly string[];
  readonly type: string;
  readonly duckdb: string;
  readonly arrow: DataType;
}

const column = (name: string, type: string, duckdb: string, arrow: DataType): TypedColumn => ({
  name,
  path: [name],
  type,
  duckdb,
  arrow,
});

/** One column of every type that the platform uses; the names are hostile on purpose. */
export const TYPED_COLUMNS: readonly TypedColumn[] = [
  column('id', 'long', 'BIGINT', new Int64()),
  column('small "one"', 'int', 'INTEGER', new Int32()),
  column('na.me', 'string', 'VARCHAR', new Utf8()),
  column("written'; DROP TABLE t; --", 'string', 'VARCHAR', new Utf8()),
  column('born', 'date', 'DATE', new DateDay()),
  column('at', 'timestamp', 'TIMESTAMP', new TimestampMicrosecond()),
  column('instant', 'timestamptz', 'TIMESTAMPTZ', new TimestampMicrosecond('UTC')),
  column('time', 'time', 'TIME', new TimeMicrosecond()),
  column('price', 'decimal(9, 2)', 'DECIMAL(9, 2)', new Decimal(2, 9, 128)),
  column('score', 'double', 'DOUBLE', new Float64()),
  column('flag', 'boolean', 'BOOLEAN', new Bool()),
  column('uuid', 'uuid', 'UUID', new FixedSizeBinary(16)),
  column('bytes', 'binary', 'BLOB', new Binary()),
];

/** A value as DuckDB's own text for its type, so that the table is made without the library's literals. */
export type TextRow = Readonly<Record<string, string | null>>;

/** The rows as an Arrow table, built from raw buffers. */
export function arrowTable(rows: readonly TextRow[]): Table {
  const vectors = TYPED_COLUMNS.map(({ name, arrow }) => [
    name,
    arrowVector(
      arrow,
      rows.map((row) => row[name] ?? null),
    ),
  ]);
  return new Table(Object.fromEntries(vectors) as Record<string, Vector>);
}

/** The rows as a table `t` of DuckDB with its position in `n`; values travel as parameters. */
export async function duckdbTable(connection: DuckDBConnection, rows: readonly TextRow[]): Promise<void> {
  const quoted = TYPED_COLUMNS.map(({ name, duckdb }) => `"${name.replaceAll('"', '""')}" ${duckdb}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE t (n INTEGER, ${quoted.join(', ')})`);
  for (const [n, row] of rows.entries()) {
    const casts = TYPED_COLUMNS.map(({ duckdb }, index) =>
      duckdb === 'BLOB' ? `unhex($${index + 1})` : `CAST($${index + 1} AS ${duckdb})`,
    );
    await connection.run(
      `INSERT INTO t VALUES (${n}, ${casts.join(', ')})`,
      TYPED_COLUMNS.map(({ name }) => row[name] ?? null),
    );
  }
}

/** A struct column `name` with text children; a null row is a NULL struct. */
export function structVector(children: readonly string[], rows: readonly (TextRow | null)[]): Vector {
  const fields = children.map((name) => new Field(name, new Utf8(), true));
  // Under a NULL parent the child's buffer still holds a value, as Parquet readers may leave it.
  const data = children.map(
    (name) =>
      vectorFromArray(
        rows.map((row) => (row === null ? 'ghost' : (row[name] ?? null))),
        new Utf8(),
      ).data[0]!,
  );
  const nullBitmap = bitmap(rows.map((row) => row !== null));
  const nullCount = rows.filter((row) => row === null).length;
  return new Vector([
    makeData({ type: new Struct(fields), length: rows.length, children: data, nullBitmap, nullCount }),
  ]);
}

function arrowVector(type: DataType, values: readonly (string | null)[]): Vector {
  if (type instanceof Utf8) return vectorFromArray(values, type);
  if (type instanceof Binary || type instanceof FixedSizeBinary) {
    return vectorFromArray(
      values.map((value) =>
        value === null ? null : Uint8Array.from(Buffer.from(value.replaceAll('-', ''), 'hex')),
      ),
      type,
    );
  }
  if (type instanceof Bool)
    return vectorFromArray(
      values.map((value) => (value === null ? null : value === 'true')),
      type,
    );
  if (type instanceof Int32)
    return vectorFromArray(
      values.map((value) => (value === null ? null : Number(value))),
      type,
    );
  if (type instanceof Float64)
    return vectorFromArray(
      values.map((value) => (value === null ? null : Number(value))),
      type,
    );
  const nullBitmap = bitmap(values.map((value) => value !== null));
  const nullCount = values.filter((value) => value === null).length;
  const data = rawValues(type, values);
  return new Vector([
    makeData({ type, length: values.length, data, nullBitmap, nullCount } as Parameters<typeof makeData>[0]),
  ]);
}

function rawValues(type: DataType, values: readonly (string | null)[]): ArrayLike<unknown> {
  if (type instanceof DateDay)
    return Int32Array.from(values, (value) => (value === null ? 0 : Date.parse(value) / 86_400_000));
  if (type instanceof Decimal) {
    const words = new BigUint64Array(values.length * 2);
    for (const [row, value] of values.entries()) {
      const unscaled = BigInt((value ?? '0.00').replace('.', ''));
      words[row * 2] = BigInt.asUintN(64, unscaled);
      words[row * 2 + 1] = BigInt.asUintN(64, unscaled >> 64n);
    }
    return new Uint32Array(words.buffer);
  }
  return BigInt64Array.from(values, (value) =>
    value === null ? 0n : type instanceof Int64 ? BigInt(value) : microseconds(value),
  );
}

/** `2026-10-01 13:45:00.000001`, with `+00` or as a time alone. */
function microseconds(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace(/\+00$/, '').split('.');
  const iso = whole.includes('-') ? `${whole.replace(' ', 'T')}Z` : `1970-01-01T${whole}Z`;
  return BigInt(Date.parse(iso)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

function bitmap(valid: readonly boolean[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(valid.length / 64) * 8);
  for (const [row, one] of valid.entries()) if (one) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}
