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
  if (bytes.length < 8) throw cutShort();
  const flags = bytes[5]!;
  if (bytes[2] !== COMPACT_FAMILY || (flags & FLAG.bigEndian) !== 0) throw unknownForm();
  if ((flags & FLAG.empty) !== 0) return new Set();
  if (bytes[1] === 3) return whole(bytes);
  if (bytes[1] === 4) return differences(bytes);
  throw unknownForm();
}

/** Version 3: every hash in eight bytes. */
function whole(bytes: Uint8Array): ReadonlySet<string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const longs = bytes[0]! & 63;
  const count = longs === 1 ? 1 : bytes.length >= 12 ? view.getUint32(8, true) : 0;
  const from = longs * 8;
  if (longs < 1 || longs > 3 || from + count * 8 > bytes.length) throw cutShort();
  return new Set(Array.from({ length: count }, (_, i) => view.getBigUint64(from + i * 8, true).toString(16)));
}

/**
 * Version 4: the hashes in order, each as what it is more than the one before, in as many bits as the largest needs, highest bit
 * first; behind theta where the sketch is a sample, and the number of hashes in as few bytes as it needs.
 */
function differences(bytes: Uint8Array): ReadonlySet<string> {
  const [longs, width, countBytes] = [bytes[0]! & 63, bytes[3]!, bytes[4]!];
  if (longs < 1 || longs > 2 || width > 64 || countBytes > 4) throw unknownForm();
  let at = longs * 8;
  let count = 0;
  for (let k = 0; k < countBytes; k++) count += (bytes[at + k] ?? 0) * 256 ** k;
  at += countBytes;
  if (width === 0 || at + Math.ceil((count * width) / 8) > bytes.length) throw cutShort();
  const hashes = new Set<string>();
  let hash = 0n;
  for (let n = 0, bit = at * 8; n < count; n++) {
    let difference = 0n;
    for (let left = width; left > 0; ) {
      const take = Math.min(left, 8 - (bit & 7));
      const part = (bytes[bit >> 3]! >> (8 - (bit & 7) - take)) & ((1 << take) - 1);
      difference = (difference << BigInt(take)) | BigInt(part);
      left -= take;
      bit += take;
    }
    hash += difference;
    hashes.add(hash.toString(16));
  }
  return hashes;
}

function cutShort(): Unread {
  return new Unread('a theta sketch is cut short');
}

function unknownForm(): Unread {
  return new Unread('a theta sketch is in a form that cannot be read');
}
