const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint): bigint => u64((value << by) | (value >> (64n - by)));

/** The first 64 bits of MurmurHash3_x64_128 (Austin Appleby, public domain), as theta sketches use it. */
export function murmur3(bytes: Uint8Array, seed: bigint): bigint {
  let h1 = seed;
  let h2 = seed;
  const blocks = bytes.length >> 4;
  for (let i = 0; i < blocks; i++) {
    h1 ^= mix1(little(bytes, i * 16, 8));
    h1 = u64((rotate(h1, 27n) + h2) * 5n + 0x52dce729n);
    h2 ^= mix2(little(bytes, i * 16 + 8, 8));
    h2 = u64((rotate(h2, 31n) + h1) * 5n + 0x38495ab5n);
  }
  const tail = bytes.length & 15;
  if (tail > 8) h2 ^= mix2(little(bytes, blocks * 16 + 8, tail - 8));
  if (tail > 0) h1 ^= mix1(little(bytes, blocks * 16, Math.min(8, tail)));
  h1 ^= BigInt(bytes.length);
  h2 ^= BigInt(bytes.length);
  h1 = u64(h1 + h2);
  h2 = u64(h2 + h1);
  h1 = finish(h1);
  h2 = finish(h2);
  return u64(h1 + h2);
}

function mix1(k: bigint): bigint {
  return u64(rotate(u64(k * C1), 31n) * C2);
}

function mix2(k: bigint): bigint {
  return u64(rotate(u64(k * C2), 33n) * C1);
}

function finish(value: bigint): bigint {
  let k = value ^ (value >> 33n);
  k = u64(k * 0xff51afd7ed558ccdn);
  k ^= k >> 33n;
  k = u64(k * 0xc4ceb9fe1a85ec53n);
  return k ^ (k >> 33n);
}

function little(bytes: Uint8Array, at: number, length: number): bigint {
  let value = 0n;
  for (let k = length - 1; k >= 0; k--) value = (value << 8n) | BigInt(bytes[at + k]!);
  return value;
}
