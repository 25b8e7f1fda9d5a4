import { Buffer } from 'node:buffer';
import { dayFromNumber } from '../../../values/day.ts';
import type { PrimitiveType } from '../../schema.ts';
import { type Comparable, decimalScale, toBigEndian } from '../manifest/single-value.ts';
import { bucketHash } from './bucket-hash.ts';

/** Gives the partition value of a column's value; null for null. */
export type Transform = (value: Comparable | null) => Comparable | null;

const DAY = 86_400_000_000n;
const HOUR = 3_600_000_000n;

/** Which types a transform takes (specification, partition transforms). */
const TAKES: Readonly<Record<string, RegExp>> = {
  identity: /^(?!geometry|geography|variant|unknown)/,
  bucket:
    /^(?:int|long|decimal\(.*\)|date|time|timestamp|timestamptz|timestamp_ns|timestamptz_ns|string|uuid|fixed\[.*\]|binary)$/,
  truncate: /^(?:int|long|decimal\(.*\)|string|binary)$/,
  year: /^(?:date|timestamp|timestamptz|timestamp_ns|timestamptz_ns)$/,
  month: /^(?:date|timestamp|timestamptz|timestamp_ns|timestamptz_ns)$/,
  day: /^(?:date|timestamp|timestamptz|timestamp_ns|timestamptz_ns)$/,
  hour: /^(?:timestamp|timestamptz|timestamp_ns|timestamptz_ns)$/,
  void: /^/,
};

/**
 * The function of a transform on values of a type, as metadata writes both (`bucket[16]`, `decimal(9, 2)`); undefined for a
 * transform that is not known or does not take the type.
 */
export function transformOf(transform: string, type: PrimitiveType): Transform | undefined {
  const [, name = '', argument] = /^([a-z]+)(?:\[(\d{1,9})\])?$/.exec(transform.toLowerCase()) ?? [];
  const width = argument === undefined ? undefined : Number(argument);
  if (TAKES[name]?.test(type) !== true) return undefined;
  if ((name === 'bucket' || name === 'truncate') !== (width !== undefined) || width === 0) return undefined;
  const apply = functionOf(name, type, width ?? 1);
  return (value) => (value === null ? null : apply(value));
}

function functionOf(
  name: string,
  type: PrimitiveType,
  width: number,
): (value: Comparable) => Comparable | null {
  switch (name) {
    case 'identity':
      return (value) => value;
    case 'void':
      return () => null;
    case 'bucket':
      return (value) => BigInt((bucketHash(hashed(type, value)) & 0x7fff_ffff) % width);
    case 'truncate':
      return (value) => truncated(type, value, width);
    case 'hour':
      return (value) => floor(micros(type, value), HOUR);
    case 'day':
      return (value) => days(type, value);
    case 'month':
      return (value) => {
        const [year, month] = yearAndMonth(days(type, value));
        return (year - 1970n) * 12n + month - 1n;
      };
    default:
      return (value) => yearAndMonth(days(type, value))[0] - 1970n;
  }
}

/** The bytes that a bucket is made of (specification, Appendix B): nanoseconds count as microseconds. */
function hashed(type: PrimitiveType, value: Comparable): Uint8Array {
  if (value instanceof Uint8Array) return value;
  const number = BigInt(value);
  if (decimalScale(type) !== undefined) return toBigEndian(number);
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(type.endsWith('_ns') ? floor(number, 1000n) : number);
  return bytes;
}

/** Numbers go down to a multiple, decimals by their unscaled value; text is cut by code points, binary by bytes. */
function truncated(type: PrimitiveType, value: Comparable, width: number): Comparable {
  if (value instanceof Uint8Array) {
    if (type === 'binary') return value.subarray(0, width);
    const text = new TextDecoder().decode(value);
    return new TextEncoder().encode([...text].slice(0, width).join(''));
  }
  return floor(BigInt(value), BigInt(width)) * BigInt(width);
}

function micros(type: PrimitiveType, value: Comparable): bigint {
  return type.endsWith('_ns') ? floor(BigInt(value as bigint), 1000n) : BigInt(value as bigint);
}

function days(type: PrimitiveType, value: Comparable): bigint {
  return type === 'date' ? BigInt(value as bigint) : floor(micros(type, value), DAY);
}

function yearAndMonth(day: bigint): readonly [bigint, bigint] {
  const [, year, month] = /^(-?\d+)-(\d{2})/.exec(dayFromNumber(Number(day)))!;
  return [BigInt(year!), BigInt(month!)];
}

/** Division towards the past, also before 1970. */
function floor(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
