import { Unread } from '../unread.ts';
import { murmur3 } from './murmur3.ts';

const SEED = 9001n;
const COMPACT_FAMILY = 3;
const FLAG = { bigEndian: 1, empty: 4, single: 32 } as const;

/** What a theta sketch keeps of a value in its single-value form (Appendix D), in hexadecimal. */
export function sketchHash(bytes: Uint8Array): string {
  return (murmur3(bytes, SEED) >> 1n).toString(16);
}

/**
 * The hashes that a compact theta sketch keeps, as {@link sketchHash} writes them: of every value up to some 4,096 distinct
 * ones, of a sample beyond. Throws {@link Unread} for a form that is not read.
 */
export function sketchHashes(bytes: Uint8Array): ReadonlySet<string> {
  if (bytes.length < 8) throw new Unread('a theta sketch is cut short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const longs = bytes[0]! & 63;
  const flags = bytes[5]!;
  if (bytes[1] !== 3 || bytes[2] !== COMPACT_FAMILY || (flags & FLAG.bigEndian) !== 0) {
    throw new Unread('a theta sketch is in a form that cannot be read');
  }
  if ((flags & FLAG.empty) !== 0) return new Set();
  const count = longs === 1 ? 1 : bytes.length >= 12 ? view.getUint32(8, true) : 0;
  const from = longs * 8;
  if (longs < 1 || longs > 3 || from + count * 8 > bytes.length)
    throw new Unread('a theta sketch is cut short');
  return new Set(Array.from({ length: count }, (_, i) => view.getBigUint64(from + i * 8, true).toString(16)));
}
