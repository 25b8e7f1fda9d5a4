/** Murmur3 (32 bit, x86, seed 0) of bytes, as a signed number (specification, Appendix B). */
export function bucketHash(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~3;
  let hash = 0;
  for (let at = 0; at < whole; at += 4) {
    hash = rotate(hash ^ mixed(view.getUint32(at, true)), 13);
    hash = (Math.imul(hash, 5) + 0xe654_6b64) | 0;
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= whole; at -= 1) rest = (rest << 8) | bytes[at]!;
  if (bytes.length > whole) hash ^= mixed(rest);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) | 0;
}

function mixed(block: number): number {
  return Math.imul(rotate(Math.imul(block, 0xcc9e_2d51), 15), 0x1b87_3593);
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
