import { canonicalId } from '../../values/id.ts';
import type { Literal } from '../../values/literal.ts';
import { codePoints } from '../text/fold.ts';

/** A value with its type, and whether other people have it too (rule S3). */
export interface Sought {
  readonly literal: Literal;
  readonly shared: boolean;
}

/** Looks a value up among those sought: shared or not, undefined where it is none of them. */
export type Lookup<T> = (value: T) => boolean | undefined;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** An integer that a literal is, whatever its type: a text `3590` and a decimal `3590.00` are 3590. */
export function integerOf(literal: Literal): bigint | null {
  if (literal.type === 'boolean') return null;
  if (!['int', 'long', 'text', 'decimal', 'float', 'double'].includes(literal.type)) return null;
  return unscaled(literal.value.trim(), 0);
}

/** A decimal's digits as an integer at `scale`, or null where they do not fit without loss. */
export function unscaled(text: string, scale: number): bigint | null {
  const parts = DECIMAL.exec(text);
  if (parts === null) return null;
  const [, sign, whole, fraction = ''] = parts;
  const kept = fraction.slice(0, scale).padEnd(scale, '0');
  if (/[1-9]/.test(fraction.slice(scale))) return null;
  const digits = BigInt(whole! + kept);
  return sign === '-' ? -digits : digits;
}

/**
 * Looks texts up by the one form of ids (rule S2): a text column's ` 003590` meets the long 3590, a uuid any way of writing
 * it. Text is compared exactly, and so are values of other types.
 */
export function textLookup(values: readonly Sought[]): Lookup<string> {
  const exact = new Map<string, boolean>();
  const integers = new Map<string, boolean>();
  const uuids = new Map<string, boolean>();
  for (const { literal, shared } of values) {
    if (literal.type === 'boolean') continue;
    note(exact, literal.value, shared);
    if (literal.type === 'int' || literal.type === 'long') note(integers, literal.value, shared);
    if (literal.type === 'uuid') note(uuids, literal.value, shared);
  }
  const longest = Math.max(64, ...[...exact.keys()].map((text) => text.length));
  return (text) => {
    if (text.length > longest) return undefined;
    const found = exact.get(text);
    if (found !== undefined) return found;
    if (integers.size > 0 && /\d/.test(text)) {
      const integer = canonicalId('long', text);
      if (integer !== null && integers.has(integer)) return integers.get(integer);
    }
    if (uuids.size > 0) {
      const uuid = canonicalId('uuid', text);
      if (uuid !== null) return uuids.get(uuid);
    }
    return undefined;
  };
}

/** Notes a value; one that is sought both as shared and as not is not. */
export function note<K>(into: Map<K, boolean>, key: K, shared: boolean): void {
  into.set(key, (into.get(key) ?? true) && shared);
}

/** The bytes of a uuid or of a binary literal. */
export function bytesOf(literal: Literal): Uint8Array | null {
  if (literal.type === 'uuid') return Buffer.from(literal.value.replaceAll('-', ''), 'hex');
  if (literal.type === 'binary') return Buffer.from(literal.value, 'hex');
  if (literal.type === 'text') {
    const uuid = canonicalId('uuid', literal.value);
    return uuid === null ? null : Buffer.from(uuid.replaceAll('-', ''), 'hex');
  }
  return null;
}

/**
 * Looks up which text begins with one and goes on for two more characters or longer: what a bound keeps of a text id, without its last
 * character. A text that is not longer than the bound was not cut.
 */
export function beginningLookup(values: readonly Sought[]): Lookup<string> {
  const texts = values.filter(({ literal }) => literal.type === 'text' || literal.type === 'uuid');
  return (beginning) => {
    const cut = codePoints(beginning) + 1;
    const found = texts.filter(({ literal }) => {
      const whole = String(literal.value);
      return whole.startsWith(beginning) && codePoints(whole) > cut;
    });
    return found.length === 0 ? undefined : found.every(({ shared }) => shared);
  };
}
