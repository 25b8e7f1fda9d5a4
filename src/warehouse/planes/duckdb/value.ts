import type { DuckDBValue } from '@duckdb/node-api';
import type { Literal } from '../../../values/literal.ts';
import { type Comparable, toLiteral } from '../../iceberg/manifest/single-value.ts';
import type { PrimitiveType } from '../../schema.ts';
import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBUUIDValue,
} from './duckdb.ts';

/**
 * A primitive value that came out of DuckDB, in the form that Lethe's Iceberg code compares and encodes. Text must come as
 * its bytes (`encode(…)` in SQL): the driver's own decoder drops a leading byte order mark.
 */
export function comparable(type: PrimitiveType, value: DuckDBValue): Comparable | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'bigint') return value;
  // The driver gives integers of 32 bits as numbers.
  if (typeof value === 'number') return type === 'int' ? BigInt(value) : value;
  return fromObject(value);
}

function fromObject(value: unknown): Comparable {
  if (value instanceof DuckDBBlobValue) return value.bytes;
  if (value instanceof DuckDBDateValue) return BigInt(value.days);
  if (value instanceof DuckDBDecimalValue) return value.value;
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos;
  if (value instanceof DuckDBUUIDValue) return uuidBytes(value.toUint128());
  if (
    value instanceof DuckDBTimestampTZValue ||
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimeValue
  ) {
    return value.micros;
  }
  throw new TypeError('a value of a type that was not asked for');
}

/** The sixteen bytes of a uuid, most significant first. */
export function uuidBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, value >> 64n);
  view.setBigUint64(8, BigInt.asUintN(64, value));
  return bytes;
}

/** A primitive value out of DuckDB as a literal of its column's Iceberg type. Text must come as its bytes. */
export function literal(type: PrimitiveType, value: DuckDBValue): Literal | null {
  const known = comparable(type, value);
  if (known === null) return null;
  if (type === 'string') return { type: 'text', value: Buffer.from(known as Uint8Array).toString('utf8') };
  return toLiteral(type, known);
}
