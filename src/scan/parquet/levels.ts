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
  if (width === 0) return numbers;
  if (width > 32) throw new Unread('levels or indexes are wider than 32 bits');
  let at = 0;
  let filled = 0;
  while (filled < count) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 28) throw new Unread('levels or indexes end early');
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const length = Math.min(count - filled, header & 1 ? (header >>> 1) * 8 : header >>> 1);
    if (length === 0) throw new Unread('levels or indexes are damaged');
    if (header & 1) {
      unpackLittle(bytes, { at, width }, numbers.subarray(filled, filled + length));
      at += (header >>> 1) * width;
    } else {
      const size = (width + 7) >> 3;
      if (at + size > bytes.length) throw new Unread('levels or indexes end early');
      let value = 0;
      for (let k = 0; k < size; k++) value |= bytes[at + k]! << (8 * k);
      numbers.fill(value >>> 0, filled, filled + length);
      at += size;
    }
    filled += length;
  }
  return numbers;
}

/** Unpacks numbers whose bits start at the low end of each byte. */
function unpackLittle(
  bytes: Uint8Array,
  from: { readonly at: number; readonly width: number },
  into: Uint32Array,
): void {
  const { at, width } = from;
  if (at + Math.ceil((into.length * width) / 8) > bytes.length)
    throw new Unread('levels or indexes end early');
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

/** Where the levels of one kind end in an unpacked page of version 1, and what they are. */
export interface Levels {
  readonly end: number;
  readonly levels: Uint32Array | null;
}

/** Levels of a version 1 page: runs behind a length, or the deprecated bit-packed form without one. */
export function levelsV1(
  bytes: Uint8Array,
  at: number,
  kind: { readonly most: number; readonly encoding: number; readonly count: number },
): Levels {
  if (kind.most === 0) return { end: at, levels: null };
  const width = bitsFor(kind.most);
  if (kind.encoding === ENCODING.BIT_PACKED) {
    const end = at + Math.ceil((kind.count * width) / 8);
    return { end, levels: unpackBig(bytes.subarray(at), width, kind.count) };
  }
  if (kind.encoding !== ENCODING.RLE) throw new Unread('levels are in an unknown encoding');
  if (at + 4 > bytes.length) throw new Unread('levels end early');
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
  const end = at + 4 + length;
  if (end > bytes.length) throw new Unread('levels are longer than their page');
  return { end, levels: readHybrid(bytes.subarray(at + 4, end), width, kind.count) };
}

/** How many values a page really holds: those at the highest definition level. */
export function countDefined(levels: Uint32Array | null, most: number, values: number): number {
  if (levels === null) return values;
  let count = 0;
  for (const level of levels) if (level === most) count += 1;
  return count;
}
