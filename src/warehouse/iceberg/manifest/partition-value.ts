import { Buffer } from 'node:buffer';
import type { Literal } from '../../../values/literal.ts';
import type { PrimitiveType } from '../../schema.ts';
import type { AvroSchema, AvroValue } from '../avro/index.ts';
import { damaged } from '../metadata/damaged.ts';
import {
  bigEndian,
  type Comparable,
  decimalScale,
  literalValue,
  toBigEndian,
  toLiteral,
} from './single-value.ts';

/**
 * A partition value as a literal. A transform that this version does not know has no type: its values only tell partitions apart, for
 * the delete files of each, and such a table is never changed.
 *
 * @throws FailedError `iceberg/damaged-metadata` where the value is not of the type
 */
export function partitionLiteral(
  file: string,
  type: PrimitiveType | undefined,
  value: AvroValue,
): Literal | null {
  if (value === null) return null;
  if (type === undefined) return untyped(file, value);
  const comparable = comparableOf(type, value);
  if (comparable === undefined) throw damaged(file, 'a partition value is not of its type');
  try {
    return toLiteral(type, comparable);
  } catch (cause) {
    throw damaged(file, 'a partition value is out of range', cause);
  }
}

function untyped(file: string, value: AvroValue): Literal {
  if (typeof value === 'string') return { type: 'text', value };
  if (typeof value === 'boolean') return { type: 'boolean', value };
  if (value instanceof Uint8Array) return { type: 'binary', value: Buffer.from(value).toString('hex') };
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return { type: 'long', value: String(value) };
  if (typeof value === 'number') return { type: 'double', value: String(value) };
  throw damaged(file, 'a partition value is of no primitive type');
}

function comparableOf(type: PrimitiveType, value: AvroValue): Comparable | undefined {
  if (typeof value === 'string') return type === 'string' ? new Uint8Array(Buffer.from(value)) : undefined;
  if (value instanceof Uint8Array) return decimalScale(type) === undefined ? value : bigEndian(value);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number') return undefined;
  return type === 'float' || type === 'double' ? value : BigInt(value);
}

/** The value of a literal as Avro writes it in a partition tuple. */
export function partitionAvro(type: PrimitiveType, literal: Literal | null): AvroValue {
  if (literal === null) return null;
  if (literal.type === 'text') return literal.value;
  if (literal.type === 'float' || literal.type === 'double') return Number(literal.value);
  const value = type.endsWith('_ns') ? BigInt(String(literal.value)) : literalValue(type, literal);
  if (value === undefined) throw new TypeError(`a partition value is not of type ${type}`);
  if (typeof value !== 'bigint') return value;
  const scale = decimalScale(type);
  if (scale !== undefined) return toBigEndian(value, decimalBytes(type));
  return type === 'int' || type === 'date' ? Number(value) : value;
}

/** The Avro type of a partition value (specification, Appendix A). Named types carry the field's id, to be unique. */
export function partitionAvroType(type: PrimitiveType, fieldId: number): AvroSchema {
  switch (type) {
    case 'boolean':
    case 'int':
    case 'long':
    case 'float':
    case 'double':
    case 'string':
      return type;
    case 'binary':
      return 'bytes';
    case 'date':
      return { type: 'int', logicalType: 'date' };
    case 'time':
      return { type: 'long', logicalType: 'time-micros' };
    case 'timestamp':
    case 'timestamptz':
      return { type: 'long', logicalType: 'timestamp-micros', 'adjust-to-utc': type === 'timestamptz' };
    case 'timestamp_ns':
    case 'timestamptz_ns':
      return { type: 'long', logicalType: 'timestamp-nanos', 'adjust-to-utc': type === 'timestamptz_ns' };
    case 'uuid':
      return { type: 'fixed', name: `uuid_${fieldId}`, size: 16, logicalType: 'uuid' };
    default:
      return fixedType(type, fieldId);
  }
}

function fixedType(type: PrimitiveType, fieldId: number): AvroSchema {
  const size = /^fixed\[(\d+)\]$/.exec(type)?.[1];
  if (size !== undefined) return { type: 'fixed', name: `fixed_${fieldId}`, size: Number(size) };
  const [precision, scale] = decimalParts(type);
  return {
    type: 'fixed',
    name: `decimal_${fieldId}`,
    size: decimalBytes(type),
    logicalType: 'decimal',
    precision,
    scale,
  };
}

function decimalParts(type: PrimitiveType): readonly [number, number] {
  const [, precision, scale] = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(type) ?? [];
  if (precision === undefined || scale === undefined) throw new TypeError(`no partition is of type ${type}`);
  return [Number(precision), Number(scale)];
}

/** The fewest bytes that hold every number of the precision. */
function decimalBytes(type: PrimitiveType): number {
  const [precision] = decimalParts(type);
  return toBigEndian(10n ** BigInt(precision) - 1n).length;
}
