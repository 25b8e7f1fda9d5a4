import type { Literal } from './literal.ts';

/** The one form in which the ids of a subject are compared and hashed (rule G1). */
export type IdType = 'int' | 'long' | 'text' | 'uuid';

const RANGE = {
  int: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  long: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
} as const;

/** An integer written out: a zero fraction (`3590.0`, as exports of nullable columns write it) changes nothing. */
const INTEGER = /^[+-]?\d{1,60}(?:\.0{1,60})?$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;

/**
 * The one text form of an id, or null where `value` is no id of this type (rule G1). So a text column's `"3590"` meets the
 * long `3590`. Takes what readers give: text, number, bigint, 16 bytes (a uuid), or a {@link Literal}.
 *
 * - `int`, `long`: an integer in range. In text, surrounding blanks, a plus, leading zeros and a zero fraction do not
 *   change which integer it is. An exponent (`1e3`) has lost digits somewhere and is no id; neither is a JavaScript
 *   number past 2^53, which may be its neighbour.
 * - `text`: exactly as written, so `003590` and `3590` are two ids. Blank text is no id: it would name everybody without one.
 * - `uuid`: any case, with or without dashes, braces or `urn:uuid:`; lower case with dashes comes out.
 *
 * @example canonicalId('long', ' 003590 ') // '3590'
 */
export function canonicalId(type: IdType, value: unknown): string | null {
  const plain = isLiteral(value) ? value.value : value;
  switch (type) {
    case 'int':
    case 'long':
      return canonicalInteger(type, plain);
    case 'text':
      return canonicalText(plain);
    case 'uuid':
      return canonicalUuid(plain);
  }
}

/** A canonical id as a typed constant. `canonical` must come from {@link canonicalId}. */
export function idLiteral(type: IdType, canonical: string): Literal {
  return { type, value: canonical };
}

/**
 * The constant with which a canonical id is sought in a column of `columnType` (an Iceberg type), so that both sides of the
 * comparison have one type; null where a column of this type cannot hold the id (hazard 4).
 */
export function idLiteralIn(columnType: string, canonical: string): Literal | null {
  switch (columnType) {
    case 'int':
    case 'long':
    case 'uuid': {
      const inColumn = canonicalId(columnType, canonical);
      return inColumn === null ? null : { type: columnType, value: inColumn };
    }
    case 'string':
      return { type: 'text', value: canonical };
    default:
      return idInOtherType(columnType, canonical);
  }
}

function idInOtherType(columnType: string, canonical: string): Literal | null {
  if (columnType === 'fixed[16]' || columnType === 'binary') {
    const uuid = canonicalUuid(canonical);
    return uuid === null ? null : { type: 'binary', value: uuid.replaceAll('-', '') };
  }
  if (columnType.startsWith('decimal') || columnType === 'double') {
    const integer = canonicalInteger('long', canonical);
    return integer === null ? null : { type: columnType === 'double' ? 'double' : 'decimal', value: integer };
  }
  return null;
}

function canonicalInteger(type: 'int' | 'long', value: unknown): string | null {
  const integer = toInteger(value);
  if (integer === null || integer < RANGE[type].min || integer > RANGE[type].max) return null;
  return integer.toString();
}

function toInteger(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  if (typeof value !== 'string') return null;
  const trimmed = value.trim();
  if (!INTEGER.test(trimmed)) return null;
  const digits = trimmed.replace(/^\+/, '').replace(/\.0+$/, '');
  return digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits);
}

function canonicalText(value: unknown): string | null {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value.toString() : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  return LONE_SURROGATE.test(value) ? null : value;
}

function canonicalUuid(value: unknown): string | null {
  const text =
    value instanceof Uint8Array && value.length === 16 ? Buffer.from(value).toString('hex') : value;
  if (typeof text !== 'string') return null;
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
    .replace(/^\{(.*)\}$/, '$1');
  const parts = UUID.exec(bare);
  return parts === null ? null : parts.slice(1).join('-');
}

function isLiteral(value: unknown): value is Literal {
  return typeof value === 'object' && value !== null && 'type' in value && 'value' in value;
}
