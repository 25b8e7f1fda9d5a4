import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, inflateSync } from 'node:zlib';
import { MOST_UNPACKED } from './raw.ts';

/** Bytes looked at together. */
const BLOCK = 1 << 16;
/** Fewer bytes say too little, and could hardly hold packed text. */
const LEAST = 32;
/** Of the entropy that random bytes of this number have: packed and encrypted data come near 1, databases and programs stay below 0.85. */
const RANDOM = 0.87;

/**
 * Whether bytes of no known format look packed or encrypted, so that searching them would prove nothing. Text never does. Checksum
 * files of Hadoop look so, and are known by their beginning.
 */
export function looksPacked(bytes: Uint8Array): boolean {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(4, bytes.length)).toString('latin1') === 'crc\0')
    return false;
  if (isText(bytes)) return false;
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK);
    if (block.length >= LEAST && entropy(block) >= RANDOM * Math.min(8, Math.log2(block.length))) return true;
  }
  return false;
}

/** What bytes are that have no magic number of their own, zlib's or Brotli's: unpacked; null for anything else. */
export function unpackNameless(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < 8 || isText(bytes)) return null;
  // RFC 1950, 2.2: the method is 8, and the two bytes are a multiple of 31.
  const zlib = (bytes[0]! & 0x0f) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0;
  const unpack = zlib ? inflateSync : brotliDecompressSync;
  try {
    const unpacked = unpack(bytes, { maxOutputLength: MOST_UNPACKED });
    return unpacked.length === 0 ? null : unpacked;
  } catch {
    return null;
  }
}

/** UTF-8 or UTF-16 without the control characters that text never has. A window may begin and end inside a character. */
function isText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, BLOCK);
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  if (head.some((byte) => byte < 0x20 && !BLANK.has(byte))) return false;
  for (let from = 0; from < Math.min(4, head.length); from += 1) {
    for (let less = 0; less < 4; less += 1) {
      if (isUtf8(head.subarray(from, Math.max(from, head.length - less)))) return true;
    }
  }
  return false;
}

/** Tab, line ends, form feed, escape. */
const BLANK: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/** Shannon's entropy in bits a byte. */
function entropy(bytes: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]! += 1;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / bytes.length) * Math.log2(count / bytes.length);
  return bits;
}
