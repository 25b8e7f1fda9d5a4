import { type Comparable, decimalScale } from '../../warehouse/iceberg/manifest/single-value.ts';
import type { PrimitiveType } from '../../warehouse/schema.ts';
import type { ColumnType, Lookups } from './column-type.ts';

/** What the values of an Iceberg type mean. */
export function icebergColumnType(type: PrimitiveType): ColumnType {
  const scale = decimalScale(type);
  if (scale !== undefined) return { kind: 'decimal', scale };
  switch (type) {
    case 'int':
    case 'long':
      return { kind: 'integer' };
    case 'date':
      return { kind: 'instant', unit: 'days', of: 'date' };
    case 'time':
      return { kind: 'instant', unit: 'micros', of: 'time' };
    case 'timestamp':
    case 'timestamptz':
      return { kind: 'instant', unit: 'micros', of: 'timestamp' };
    case 'timestamp_ns':
    case 'timestamptz_ns':
      return { kind: 'instant', unit: 'nanos', of: 'timestamp' };
    case 'float':
      return { kind: 'floating', bits: 32 };
    case 'double':
      return { kind: 'floating', bits: 64 };
    case 'string':
      return { kind: 'text' };
    case 'boolean':
      return { kind: 'other' };
    default:
      return { kind: 'bytes' };
  }
}

/** Looks a decoded value up: shared or not, undefined where it is none of those sought. */
export function lookUp(value: Comparable, lookups: Lookups): boolean | undefined {
  if (typeof value === 'bigint') return lookups.integer.get(value);
  if (typeof value === 'number') return lookups.floating.get(value);
  if (typeof value === 'boolean') return undefined;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
  return lookups.bytes.get(bytes.toString('latin1')) ?? lookups.text(bytes.toString('utf8'));
}
