import { Buffer } from 'node:buffer';
import { dayFromNumber, dayNumber } from '../../../values/day.ts';
import type { Literal } from '../../../values/literal.ts';
import type { PrimitiveType } from '../../schema.ts';

/** A byte order mark at the beginning of a value belongs to the value. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A value in a form that `<` or byte order compares: integers, dates, times and instants as bigint (days, microseconds),
 * decimals as their unscaled bigint, floats as number, and text, uuid and binary as bytes (text as UTF-8, so that its order is
 * that of code points).
 */
export type Comparable = bigint | number | boolean | Uint8Array;

const DAY_MICROS = 86_400_000_000n;

/** The scale of a decimal type; undefined for other types. */
export function decimalScale(type: PrimitiveType): number | undefined {
  const scale = /^decimal\(\s*\d+\s*,\s*(\d+)\s*\)$/.exec(type)?.[1];
  return scale === undefined ? undefined : Number(scale);
}

/**
 * Decodes the single-value form of the specification's Appendix D. A value written before its column was promoted is
 * recognised by its length (int as long, float as double, date as timestamp). Returns undefined for a type that has no
 * order here, and for bytes of the wrong length.
 */
export function decodeBound(type: PrimitiveType, bytes: Uint8Array): Comparable | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case 'boolean':
      return bytes.length === 1 ? view.getUint8(0) !== 0 : undefined;
    case 'int':
    case 'date':
    case 'long':
    case 'time':
      return integer(view);
    case 'timestamp':
    case 'timestamptz':
    case 'timestamp_ns':
    case 'timestamptz_ns': {
      const value = integer(view);
      if (value === undefined || bytes.length === 8) return value;
      return value * DAY_MICROS * (type.endsWith('_ns') ? 1000n : 1n);
    }
    case 'float':
    case 'double':
      if (bytes.length === 4) return view.getFloat32(0, true);
      return bytes.length === 8 ? view.getFloat64(0, true) : undefined;
    case 'string':
    case 'uuid':
    case 'binary':
      return bytes;
    default:
      if (type.startsWith('fixed[')) return bytes;
      return decimalScale(type) !== undefined && bytes.length > 0 ? bigEndian(bytes) : undefined;
  }
}

function integer(view: DataView): bigint | undefined {
  if (view.byteLength === 4) return BigInt(view.getInt32(0, true));
  return view.byteLength === 8 ? view.getBigInt64(0, true) : undefined;
}

/** A two's-complement number, most significant byte first. */
export function bigEndian(bytes: Uint8Array): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`));
}

/** The shortest two's-complement form of a number, most significant byte first. */
export function toBigEndian(value: bigint, length?: number): Uint8Array {
  let size = length ?? 1;
  if (length === undefined) while (BigInt.asIntN(size * 8, value) !== value) size += 1;
  const hex = BigInt.asUintN(size * 8, value)
    .toString(16)
    .padStart(size * 2, '0');
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

/** Encodes a value in the single-value form of Appendix D. */
export function encodeBound(type: PrimitiveType, value: Comparable): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'boolean') return new Uint8Array([value ? 1 : 0]);
  const bytes = new Uint8Array(type === 'int' || type === 'date' || type === 'float' ? 4 : 8);
  const view = new DataView(bytes.buffer);
  if (typeof value === 'number') {
    if (type === 'float') view.setFloat32(0, value, true);
    else view.setFloat64(0, value, true);
    return bytes;
  }
  if (decimalScale(type) !== undefined) return toBigEndian(value);
  if (bytes.length === 4) view.setInt32(0, Number(value), true);
  else view.setBigInt64(0, value, true);
  return bytes;
}

/** Orders two values of one type. */
export function compareValues(left: Comparable, right: Comparable): number {
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * A literal as a value of a column's type; undefined where the two are not of one family, so that their comparison is left
 * to the data plane.
 */
export function literalValue(type: PrimitiveType, literal: Literal): Comparable | undefined {
  switch (literal.type) {
    case 'boolean':
      return type === 'boolean' ? literal.value : undefined;
    case 'int':
    case 'long':
      if (type === 'int' || type === 'long') return BigInt(literal.value);
      return fromDecimal(type, literal.value);
    case 'decimal':
      return fromDecimal(type, literal.value);
    case 'float':
    case 'double': {
      const value = Number(literal.value);
      return (type === 'float' || type === 'double') && !Number.isNaN(value) ? value : undefined;
    }
    case 'date':
      return type === 'date' ? BigInt(dayNumber(literal.value)) : undefined;
    case 'time':
      return type === 'time' ? timeMicros(literal.value) : undefined;
    case 'timestamp':
    case 'timestamptz':
      return type === literal.type ? timestampMicros(literal.value) : undefined;
    case 'text':
      return type === 'string' ? new TextEncoder().encode(literal.value) : undefined;
    case 'uuid':
      return type === 'uuid' ? hexBytes(literal.value.replaceAll('-', '')) : undefined;
    case 'binary':
      return type === 'binary' || type.startsWith('fixed[') ? hexBytes(literal.value) : undefined;
  }
}

/** A value of a column's type as a literal. Nanosecond instants, which literals lack, are written as their count. */
export function toLiteral(type: PrimitiveType, value: Comparable): Literal {
  if (typeof value === 'boolean') return { type: 'boolean', value };
  if (typeof value === 'number') return { type: type === 'float' ? 'float' : 'double', value: String(value) };
  if (value instanceof Uint8Array) {
    if (type === 'string') return { type: 'text', value: utf8.decode(value) };
    const hex = Buffer.from(value).toString('hex');
    if (type !== 'uuid') return { type: 'binary', value: hex };
    return { type: 'uuid', value: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') };
  }
  switch (type) {
    case 'int':
    case 'long':
      return { type, value: String(value) };
    case 'date':
      return { type, value: dayFromNumber(Number(value)) };
    case 'time':
      return { type, value: formatTime(value) };
    case 'timestamp':
    case 'timestamptz':
      return { type, value: formatTimestamp(value) + (type === 'timestamptz' ? 'Z' : '') };
    default: {
      const scale = decimalScale(type);
      return scale === undefined
        ? { type: 'long', value: String(value) }
        : { type: 'decimal', value: formatDecimal(value, scale) };
    }
  }
}

/** A decimal's digits as an unscaled value of the type; undefined where digits would be lost or the type is another. */
function fromDecimal(type: PrimitiveType, text: string): bigint | undefined {
  const scale = decimalScale(type);
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (scale === undefined || sign === undefined || /[^0]/.test(fraction.slice(scale))) return undefined;
  const digits = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return sign === '-' ? -digits : digits;
}

function formatDecimal(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${value < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}

function timeMicros(text: string): bigint | undefined {
  const [, hours, minutes, seconds = '0', fraction = ''] =
    /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const whole = BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
  return whole * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

function timestampMicros(text: string): bigint | undefined {
  const [, day, time = '00:00'] = /^(-?\d{4,}-\d{2}-\d{2})(?:[T ]([\d:.]+))?Z?$/.exec(text) ?? [];
  const micros = timeMicros(time);
  return day === undefined || micros === undefined ? undefined : BigInt(dayNumber(day)) * DAY_MICROS + micros;
}

function formatTime(micros: bigint): string {
  const pad = (value: bigint, width = 2): string => String(value).padStart(width, '0');
  const seconds = micros / 1_000_000n;
  const fraction = micros % 1_000_000n;
  const clock = `${pad(seconds / 3600n)}:${pad((seconds / 60n) % 60n)}:${pad(seconds % 60n)}`;
  return fraction === 0n ? clock : `${clock}.${pad(fraction, 6)}`;
}

function formatTimestamp(micros: bigint): string {
  const inDay = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  const day = (micros - inDay) / DAY_MICROS;
  return `${dayFromNumber(Number(day))}T${formatTime(inDay)}`;
}

function hexBytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
