import type { Literal } from '../../values/literal.ts';
import { NANOS, nanosOf } from './instants.ts';
import {
  beginningLookup,
  bytesOf,
  integerOf,
  type Lookup,
  note,
  type Sought,
  textLookup,
  unscaled,
} from './sought.ts';

/** What a column's stored values mean, whichever file format stores them. */
export type ColumnType =
  | { readonly kind: 'integer' }
  | { readonly kind: 'decimal'; readonly scale: number }
  | {
      readonly kind: 'instant';
      readonly unit: keyof typeof NANOS;
      readonly of: 'date' | 'time' | 'timestamp';
    }
  | { readonly kind: 'floating'; readonly bits: 32 | 64 }
  | { readonly kind: 'text' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'other' };

/** Lookups for the ways in which a format hands out values; an absent one means that no such value can be sought. */
export interface Lookups {
  /** Integers, decimals by their unscaled value, dates and times by their count. */
  readonly integer: ReadonlyMap<bigint, boolean>;
  readonly floating: ReadonlyMap<number, boolean>;
  readonly text: Lookup<string>;
  /** Every value sought as text, in the one form of ids. */
  readonly texts: readonly string[];
  /** Whether a text, and one more character, begin one that is sought and is longer. */
  readonly textBeginning: Lookup<string>;
  /** Bytes as latin1 text. */
  readonly bytes: ReadonlyMap<string, boolean>;
}

/** Turns the values sought in a column into what the column stores (rule S2). */
export function lookupsFor(type: ColumnType, values: readonly Sought[]): Lookups {
  const integer = new Map<bigint, boolean>();
  const floating = new Map<number, boolean>();
  const bytes = new Map<string, boolean>();
  for (const { literal, shared } of values) {
    const stored = storedInteger(type, literal);
    if (stored !== null) note(integer, stored, shared);
    if (type.kind === 'floating') {
      const number = literal.type === 'boolean' ? Number.NaN : Number(literal.value);
      if (!Number.isNaN(number)) note(floating, type.bits === 32 ? Math.fround(number) : number, shared);
    }
    const raw = type.kind === 'bytes' ? bytesOf(literal) : null;
    if (raw !== null) note(bytes, Buffer.from(raw).toString('latin1'), shared);
  }
  const texts = values.flatMap(({ literal }) => (literal.type === 'boolean' ? [] : [literal.value]));
  return {
    integer,
    floating,
    bytes,
    texts,
    text: textLookup(values),
    textBeginning: beginningLookup(values),
  };
}

function storedInteger(type: ColumnType, literal: Literal): bigint | null {
  switch (type.kind) {
    case 'integer':
      return integerOf(literal);
    case 'decimal': {
      return literal.type === 'boolean' ? null : unscaled(literal.value.trim(), type.scale);
    }
    case 'instant': {
      if (!sameFamily(literal, type.of)) return null;
      const nanos = nanosOf(literal);
      return nanos === null ? null : nanos / NANOS[type.unit];
    }
    default:
      return null;
  }
}

function sameFamily(literal: Literal, of: 'date' | 'time' | 'timestamp'): boolean {
  return of === 'timestamp' ? literal.type.startsWith('timestamp') : literal.type === of;
}
