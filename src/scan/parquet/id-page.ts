import type { Lookups } from '../ids/column-type.ts';
import type { Verdict } from '../text/verdict.ts';
import type { Values } from './values.ts';

const SLOTS = 1 << 17;
const slot = (low: number): number => Math.imul(low, 0x9e3779b1) >>> 15;

/** Looks the values of a page up among the ids sought. Made once for each column and what is sought in it. */
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

/** A decimal's unscaled value in two's complement, highest byte first. */
export function signedBigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

function note(shared: boolean | undefined, verdict: Verdict): void {
  if (shared !== undefined) verdict.add(shared);
}
