import { RefusedError } from '../../../../errors.ts';
import type { PrimitiveType } from '../../../schema.ts';

/** A primitive Iceberg type that this plane reads and writes. */
export type Primitive =
  | { readonly kind: PlainKind }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number };

/** One that it reads. `fixed` is only read: DuckDB would write it as bytes of any length, which other engines do not take for it. */
export type ReadPrimitive = Primitive | { readonly kind: 'fixed'; readonly length: number };

type PlainKind =
  | 'boolean'
  | 'int'
  | 'long'
  | 'float'
  | 'double'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'timestamp_ns'
  | 'string'
  | 'uuid'
  | 'binary';

const SQL_TYPES: Readonly<Record<PlainKind, string>> = {
  boolean: 'BOOLEAN',
  int: 'INTEGER',
  long: 'BIGINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
  timestamp_ns: 'TIMESTAMP_NS',
  string: 'VARCHAR',
  uuid: 'UUID',
  binary: 'BLOB',
};

/** The types that it writes, by name without parameters. */
export const WRITTEN_TYPES: readonly string[] = [...Object.keys(SQL_TYPES), 'decimal'];

const DECIMAL = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/;
const FIXED = /^fixed\[\s*(\d{1,9})\s*\]$/;

/**
 * Reads a primitive type as metadata writes it, of a column that is to be read. DuckDB cuts `timestamptz_ns` to microseconds, and has
 * `geometry`, `geography`, `variant` and `unknown` in forms that Iceberg does not know: they are refused by name.
 *
 * @throws RefusedError `plane/unsupported-type` with the column's full name.
 */
export function readPrimitiveType(type: PrimitiveType, column: string): ReadPrimitive {
  const fixed = FIXED.exec(type);
  return fixed === null ? primitive(type, column) : { kind: 'fixed', length: Number(fixed[1]) };
}

/**
 * The same of a column that is to be written: `fixed[L]` is refused too.
 *
 * @throws RefusedError `plane/unsupported-type` with the column's full name.
 */
export function primitive(type: PrimitiveType, column: string): Primitive {
  if (Object.hasOwn(SQL_TYPES, type)) return { kind: type as PlainKind };
  const decimal = DECIMAL.exec(type);
  if (decimal !== null) {
    const [precision, scale] = [Number(decimal[1]), Number(decimal[2])];
    if (precision >= 1 && precision <= 38 && scale <= precision) return { kind: 'decimal', precision, scale };
  }
  throw unsupportedType(column, type);
}

/** A type that DuckDB does not keep as it is. */
export function unsupportedType(column: string, type: string): RefusedError {
  return new RefusedError(
    'plane/unsupported-type',
    `Column ${column} has type ${type}, which DuckDB does not keep as it is`,
    {
      remedy: 'Change this table with an engine that has the type, then scan it',
      data: { column, type },
    },
  );
}

/** The DuckDB type that holds a primitive without loss. */
export function sqlType(type: ReadPrimitive): string {
  if (type.kind === 'decimal') return `DECIMAL(${type.precision}, ${type.scale})`;
  return type.kind === 'fixed' ? 'BLOB' : SQL_TYPES[type.kind];
}
