import { Unread } from '../unread.ts';

/** Numbers of DELTA_BINARY_PACKED and the place after them. */
export interface DeltaNumbers {
  readonly numbers: BigInt64Array;
  readonly end: number;
}

/** All texts of one page may not take more than this: prefixes can repeat one text without end. */
const MOST_BYTES = 1 << 30;

/**
 * Reads DELTA_BINARY_PACKED from `at`; sums wrap at 64 bits, as writers compute them. Throws {@link Unread} unless exactly
 * `count` numbers stand there.
 */
export function deltaNumbers(bytes: Uint8Array, at: number, count: number): DeltaNumbers {
  const cursor = new BitCursor(bytes, at);
  const block = Number(cursor.varint());
  const miniblocks = Number(cursor.varint());
  const total = Number(cursor.varint());
  let value = cursor.zigzag();
  if (total !== count) throw new Unread('a delta page holds another number of values than its header says');
  const size = block / miniblocks;
  if (!Number.isInteger(size) || size <= 0 || size % 8 !== 0) throw new Unread('a delta page is damaged');
  const numbers = new BigInt64Array(count);
  let filled = 0;
  if (count > 0) numbers[filled++] = value;
  while (filled < count) {
    const least = cursor.zigzag();
    const widths = cursor.take(miniblocks);
    for (const width of widths) {
      if (filled >= count) break;
      const start = cursor.at;
      const used = Math.min(size, count - filled);
      for (let i = 0; i < used; i++) {
        value = BigInt.asIntN(64, value + least + (width === 0 ? 0n : cursor.bits(start, i * width, width)));
        numbers[filled++] = value;
      }
      // The last miniblock is padded to its full size, but a writer may leave the padding out.
      cursor.at = Math.min(bytes.length, start + (size * width) / 8);
    }
  }
  return { numbers, end: cursor.at };
}

/** Reads DELTA_LENGTH_BYTE_ARRAY: all lengths, then all bytes. */
export function deltaLengthTexts(bytes: Uint8Array, at: number, count: number): readonly Uint8Array[] {
  const { numbers, end } = deltaNumbers(bytes, at, count);
  let from = end;
  return Array.from(numbers, (length) => {
    const to = from + Number(length);
    if (length < 0n || to > bytes.length) throw new Unread('a text is longer than its page');
    const text = bytes.subarray(from, to);
    from = to;
    return text;
  });
}

/** Reads DELTA_BYTE_ARRAY: lengths of what each text shares with the one before, then the rest of each. */
export function deltaTexts(bytes: Uint8Array, at: number, count: number): readonly Uint8Array[] {
  const prefixes = deltaNumbers(bytes, at, count);
  const rests = deltaLengthTexts(bytes, prefixes.end, count);
  let before = new Uint8Array(0);
  let total = 0;
  return rests.map((rest, index) => {
    const shared = Number(prefixes.numbers[index]);
    if (shared < 0 || shared > before.length)
      throw new Unread('a text shares more than there is with the one before');
    total += shared + rest.length;
    if (total > MOST_BYTES) throw new Unread('a page unpacks to more than 1 GiB of text');
    const text = new Uint8Array(shared + rest.length);
    text.set(before.subarray(0, shared));
    text.set(rest, shared);
    before = text;
    return text;
  });
}

class BitCursor {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Unread('a delta page ends early');
  }

  zigzag(): bigint {
    const value = this.varint();
    return (value >> 1n) ^ -(value & 1n);
  }

  take(length: number): Uint8Array {
    if (this.at + length > this.#bytes.length) throw new Unread('a delta page ends early');
    const bytes = this.#bytes.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }

  /** `width` bits from `bit` bits after `start`, lowest first. */
  bits(start: number, bit: number, width: number): bigint {
    let value = 0n;
    let got = 0;
    let at = start * 8 + bit;
    if (width > 64 || at + width > this.#bytes.length * 8) throw new Unread('a delta page ends early');
    while (got < width) {
      const offset = at & 7;
      const take = Math.min(8 - offset, width - got);
      const part = (this.#bytes[Math.floor(at / 8)]! >>> offset) & ((1 << take) - 1);
      value |= BigInt(part) << BigInt(got);
      got += take;
      at += take;
    }
    return value;
  }
}
