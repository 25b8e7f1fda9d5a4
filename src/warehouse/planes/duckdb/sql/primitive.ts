import { RefusedError } from '../../../../errors.ts';
import type { PrimitiveType } from '../../../iceberg/metadata/types.ts';

/** A primitive Iceberg type that this plane reads and writes. */
export type Primitive =
  | { readonly kind: Exclude<PrimitiveKind, 'decimal'> }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number };

export type PrimitiveKind =
  | 'boolean'
  | 'int'
  | 'long'
  | 'float'
  | 'double'
  | 'decimal'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'timestamp_ns'
  | 'string'
  | 'uuid'
  | 'binary';

const SQL_TYPES: Readonly<Record<Exclude<PrimitiveKind, 'decimal'>, string>> = {
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

const DECIMAL = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/;

/**
 * Reads a primitive type as metadata writes it. DuckDB has no `fixed[L]` and no `timestamptz_ns`, and writes `geometry`,
 * `geography`, `variant` and `unknown` in ways that Iceberg does not know: they are refused by name.
 *
 * @throws RefusedError `plane/unsupported-type` with the column's full name.
 */
export function primitive(type: PrimitiveType, column: string): Primitive {
  if (Object.hasOwn(SQL_TYPES, type)) return { kind: type as Exclude<PrimitiveKind, 'decimal'> };
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
export function sqlType(type: Primitive): string {
  return type.kind === 'decimal' ? `DECIMAL(${type.precision}, ${type.scale})` : SQL_TYPES[type.kind];
}
