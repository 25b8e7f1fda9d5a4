import type { SchemaElement } from 'hyparquet';
import type { Lookups } from '../ids/column-type.ts';
import type { Verdict } from '../text/verdict.ts';
import { Unread } from '../unread.ts';
import type { Values } from './values.ts';

const SLOTS = 1 << 17;
const slot = (low: number): number => Math.imul(low, 0x9e3779b1) >>> 15;

const made = new WeakMap<Lookups, IdMatcher>();

/** The matcher for a column of decimals or of another type, made once for all columns in which the same is sought. */
export function idMatcher(lookups: Lookups, decimal: boolean): IdMatcher {
  const matcher = made.get(lookups) ?? new IdMatcher(lookups, decimal);
  made.set(lookups, matcher);
  return matcher;
}

/** Looks the values of a page up among the ids sought. */
export class IdMatcher {
  readonly #lookups: Lookups;
  readonly #decimal: boolean;
  /** One byte for each hash of a low word: most values are told apart without making a bigint. */
  readonly #maybe = new Uint8Array(SLOTS);

  constructor(lookups: Lookups, decimal: boolean) {
    this.#lookups = lookups;
    this.#decimal = decimal;
    for (const value of lookups.integer.keys()) this.#maybe[slot(Number(BigInt.asIntN(32, value)))] = 1;
  }

  search(values: Values, verdict: Verdict): void {
    switch (values.kind) {
      case 'integers':
        this.#integers(values.values, verdict);
        return;
      case 'floats':
        for (const value of values.values) note(this.#lookups.floating.get(value), verdict);
        return;
      case 'texts':
        for (const value of values.values) note(this.#bytes(value), verdict);
    }
  }

  /** Each value sought in the PLAIN form of a column, texts without their length: what a Bloom filter is asked for. */
  plainForms(element: SchemaElement): readonly Uint8Array[] {
    const { integer, floating, bytes, texts } = this.#lookups;
    switch (element.type) {
      case 'INT32':
        return [...integer.keys()].map((value) => littleEndian(value, 4));
      case 'INT64':
        return [...integer.keys()].map((value) => littleEndian(value, 8));
      case 'FLOAT':
        return [...floating.keys()].map((value) => new Uint8Array(Float32Array.of(value).buffer));
      case 'DOUBLE':
        return [...floating.keys()].map((value) => new Uint8Array(Float64Array.of(value).buffer));
      case 'FIXED_LEN_BYTE_ARRAY':
        if (this.#decimal)
          return [...integer.keys()].map((value) => bigEndian(value, element.type_length ?? 0));
        return [...bytes.keys()].map((value) => Buffer.from(value, 'latin1'));
      case 'BYTE_ARRAY':
        if (this.#decimal) throw new Unread('it is of decimals in a form of many lengths');
        return [
          ...[...bytes.keys()].map((value) => Buffer.from(value, 'latin1')),
          ...texts.map((text) => Buffer.from(text)),
        ];
      default:
        throw new Unread(`it is of ${element.type}`);
    }
  }

  #integers(values: Int32Array | BigInt64Array, verdict: Verdict): void {
    const wide = values instanceof BigInt64Array;
    const words = wide ? new Int32Array(values.buffer, values.byteOffset, values.length * 2) : values;
    const step = wide ? 2 : 1;
    for (let i = 0; i < words.length; i += step) {
      if (this.#maybe[slot(words[i]!)] === 0) continue;
      note(this.#lookups.integer.get(BigInt(values[wide ? i >> 1 : i]!)), verdict);
    }
  }

  #bytes(value: Uint8Array): boolean | undefined {
    if (this.#decimal) return this.#lookups.integer.get(signedBigEndian(value));
    const text = Buffer.from(value.buffer, value.byteOffset, value.length);
    return this.#lookups.bytes.get(text.toString('latin1')) ?? this.#lookups.text(text.toString('utf8'));
  }
}

/** Two's complement, lowest byte first. */
function littleEndian(value: bigint, width: number): Uint8Array {
  return bigEndian(value, width).reverse();
}

function bigEndian(value: bigint, width: number): Uint8Array {
  return Uint8Array.from({ length: width }, (_, k) => Number((value >> BigInt(8 * (width - 1 - k))) & 255n));
}

/** A decimal's unscaled value in two's complement, highest byte first. */
export function signedBigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

function note(shared: boolean | undefined, verdict: Verdict): void {
  if (shared !== undefined) verdict.add(shared);
}
