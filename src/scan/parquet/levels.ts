import { Unread } from '../unread.ts';
import { ENCODING } from './pages.ts';

/** Bits that hold numbers up to `most`. */
export function bitsFor(most: number): number {
  return 32 - Math.clz32(most);
}

/**
 * Reads `count` numbers of `width` bits in Parquet's mixture of runs and bit-packed groups, from all of `bytes`.
 * Throws {@link Unread} where the bytes end before.
 */
export function readHybrid(bytes: Uint8Array, width: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  let filled = 0;
  for (const run of runsOf(bytes, width, count)) {
    const into = numbers.subarray(filled, filled + run.length);
    if (run.packed) unpackLittle(bytes, { at: run.at, width }, into);
    else into.fill(run.value);
    filled += run.length;
  }
  return numbers;
}

/** A run of one value, or a bit-packed group from a byte on. `length` is in numbers. */
type Run =
  | { readonly packed: false; readonly length: number; readonly value: number }
  | { readonly packed: true; readonly length: number; readonly at: number };

/** The runs that hold `count` numbers together; the last is cut to what is asked for. */
function* runsOf(bytes: Uint8Array, width: number, count: number): Generator<Run> {
  if (width > 32) throw new Unread('levels or indexes are wider than 32 bits');
  if (width === 0) yield { packed: false, length: count, value: 0 };
  if (width === 0) return;
  let at = 0;
  for (let left = count; left > 0; ) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 28) throw new Unread('levels or indexes end early');
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const length = Math.min(left, header & 1 ? (header >>> 1) * 8 : header >>> 1);
    if (length === 0) throw new Unread('levels or indexes are damaged');
    if (header & 1) {
      if (at + Math.ceil((length * width) / 8) > bytes.length)
        throw new Unread('levels or indexes end early');
      yield { packed: true, length, at };
      at += (header >>> 1) * width;
    } else {
      const size = (width + 7) >> 3;
      if (at + size > bytes.length) throw new Unread('levels or indexes end early');
      let value = 0;
      for (let k = 0; k < size; k++) value |= bytes[at + k]! << (8 * k);
      yield { packed: false, length, value: value >>> 0 };
      at += size;
    }
    left -= length;
  }
}

/**
 * How many of `count` numbers equal `wanted`, in Parquet's mixture of runs and bit-packed groups, without writing them out. Throws
 * {@link Unread} where the bytes end before.
 */
export function countHybrid(
  bytes: Uint8Array,
  width: number,
  { count, wanted }: { readonly count: number; readonly wanted: number },
): number {
  let found = 0;
  for (const run of runsOf(bytes, width, count)) {
    if (!run.packed) found += run.value === wanted ? run.length : 0;
    else if (width === 1 && wanted === 1) found += onesIn(bytes, run.at, run.length);
    else {
      const numbers = new Uint32Array(run.length);
      unpackLittle(bytes, { at: run.at, width }, numbers);
      for (const number of numbers) if (number === wanted) found += 1;
    }
  }
  return found;
}

/** Ones among the first `length` bits from a byte. */
function onesIn(bytes: Uint8Array, at: number, length: number): number {
  const whole = at + (length >> 3);
  let ones = 0;
  for (let i = at; i < whole; i++) ones += ONES[bytes[i]!]!;
  const last = length & 7;
  return last === 0 ? ones : ones + ONES[bytes[whole]! & ((1 << last) - 1)]!;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0;
  for (let left = byte; left > 0; left >>= 1) ones += left & 1;
  return ones;
});

/** Unpacks numbers whose bits start at the low end of each byte. */
function unpackLittle(
  bytes: Uint8Array,
  from: { readonly at: number; readonly width: number },
  into: Uint32Array,
): void {
  const { at, width } = from;
  let bit = at * 8;
  for (let i = 0; i < into.length; i++) {
    let value = 0;
    for (let got = 0; got < width; ) {
      const free = 8 - (bit & 7);
      const take = Math.min(free, width - got);
      value |= ((bytes[bit >> 3]! >>> (bit & 7)) & ((1 << take) - 1)) << got;
      got += take;
      bit += take;
    }
    into[i] = value >>> 0;
  }
}

/** Unpacks numbers of the deprecated encoding BIT_PACKED, whose bits start at the high end of each byte. */
function unpackBig(bytes: Uint8Array, width: number, count: number): Uint32Array {
  if (Math.ceil((count * width) / 8) > bytes.length) throw new Unread('levels end early');
  const numbers = new Uint32Array(count);
  let bit = 0;
  for (let i = 0; i < count; i++) {
    let value = 0;
    for (let k = 0; k < width; k++, bit++) value = (value << 1) | ((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1);
    numbers[i] = value;
  }
  return numbers;
}

/** Levels of one kind as they lie in a page, not written out. */
export interface Levels {
  /** Where they end in an unpacked page of version 1. */
  readonly end: number;
  /** How many are the greatest level: of definition levels, the values that are there. */
  readonly full: number;
  /** All of them; null where the column has none. */
  all(): Uint32Array | null;
}

/** What every value of a page has: no nulls, or no lists. */
function none(end: number, count: number): Levels {
  return { end, full: count, all: () => null };
}

/** Levels of a page of version 2, which says where they end. */
export function levelsV2(
  bytes: Uint8Array,
  { most, count }: { readonly most: number; readonly count: number },
): Levels {
  if (most === 0) return none(bytes.length, count);
  const width = bitsFor(most);
  return {
    end: bytes.length,
    full: countHybrid(bytes, width, { count, wanted: most }),
    all: () => readHybrid(bytes, width, count),
  };
}

/** Levels of a version 1 page: runs behind a length, or the deprecated bit-packed form without one. */
export function levelsV1(
  bytes: Uint8Array,
  at: number,
  kind: { readonly most: number; readonly encoding: number; readonly count: number },
): Levels {
  const { most, count } = kind;
  if (most === 0) return none(at, count);
  if (kind.encoding === ENCODING.BIT_PACKED) {
    const levels = unpackBig(bytes.subarray(at), bitsFor(most), count);
    const end = at + Math.ceil((count * bitsFor(most)) / 8);
    return { end, full: levels.filter((level) => level === most).length, all: () => levels };
  }
  if (kind.encoding !== ENCODING.RLE) throw new Unread('levels are in an unknown encoding');
  if (at + 4 > bytes.length) throw new Unread('levels end early');
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
  const end = at + 4 + length;
  if (end > bytes.length) throw new Unread('levels are longer than their page');
  return { ...levelsV2(bytes.subarray(at + 4, end), { most, count }), end };
}
