import { crc32 } from 'node:zlib';

/** A `deletion-vector-v1` blob of the positions, as the Puffin specification describes it. Ascending, below 2^48. */
export function deletionVectorBlob(positions: readonly number[]): Buffer {
  const bitmaps = groups(positions, 2 ** 32);
  const vector = Buffer.concat([
    Buffer.from([0xd1, 0xd3, 0x39, 0x64]),
    u64(bitmaps.size),
    ...[...bitmaps].flatMap(([key, low]) => [u32(key), bitmap32(low)]),
  ]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(vector.length);
  check.writeUInt32BE(crc32(vector));
  return Buffer.concat([length, vector, check]);
}

/** A Puffin file of such blobs, one for each data file, and where in it each blob is. */
export function puffinOfVectors(
  vectors: readonly { readonly dataFile: string; readonly positions: readonly number[] }[],
): {
  readonly bytes: Buffer;
  readonly places: readonly { readonly offset: number; readonly length: number }[];
} {
  const blobs = vectors.map(({ positions }) => deletionVectorBlob(positions));
  let offset = 4;
  const places = blobs.map(({ length }) => {
    offset += length;
    return { offset: offset - length, length };
  });
  const footer = Buffer.from(
    JSON.stringify({
      blobs: vectors.map(({ dataFile, positions }, index) => ({
        type: 'deletion-vector-v1',
        fields: [2147483645],
        'snapshot-id': -1,
        'sequence-number': -1,
        ...places[index]!,
        properties: { 'referenced-data-file': dataFile, cardinality: String(positions.length) },
      })),
    }),
  );
  const magic = Buffer.from('PFA1');
  const bytes = Buffer.concat([magic, ...blobs, magic, footer, u32(footer.length), u32(0), magic]);
  return { bytes, places };
}

/** Array containers, and bitmaps above 4,096 values; run containers come from the fixtures of other writers. */
function bitmap32(values: readonly number[]): Buffer {
  const containers = groups(values, 2 ** 16);
  const head = [...containers].map(([key, low]) => Buffer.concat([u16(key), u16(low.length - 1)]));
  const bodies = [...containers.values()].map((low) =>
    low.length > 4096 ? bits(low) : Buffer.concat(low.map(u16)),
  );
  let at = 8 + containers.size * 8;
  const offsets = bodies.map(({ length }) => {
    at += length;
    return u32(at - length);
  });
  return Buffer.concat([u32(12346), u32(containers.size), ...head, ...offsets, ...bodies]);
}

function bits(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8192);
  for (const value of values) bytes[value >> 3]! |= 1 << (value & 7);
  return bytes;
}

function groups(values: readonly number[], size: number): ReadonlyMap<number, number[]> {
  const found = new Map<number, number[]>();
  for (const value of values) {
    const key = Math.floor(value / size);
    const group = found.get(key) ?? [];
    found.set(key, group);
    group.push(value % size);
  }
  return found;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
