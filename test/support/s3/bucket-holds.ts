import { decompress } from 'fzstd';
import { parquetReadObjects } from 'hyparquet';

import type { StoredBucket } from './bucket.ts';

/**
 * The keys of a bucket of which any version holds one of the values: Parquet read by a library that is not the one that wrote it, all
 * else as bytes.
 */
export async function bucketHolds(
  bucket: StoredBucket,
  values: readonly string[],
): Promise<readonly string[]> {
  const holding: string[] = [];
  for (const [key, versions] of bucket.objects) {
    for (const { bytes } of versions) if (await objectHolds(bytes, values)) holding.push(key);
  }
  return holding;
}

/** Whether one object holds one of the values. */
export async function objectHolds(bytes: Buffer, values: readonly string[]): Promise<boolean> {
  const text = bytes.toString('utf8') + (bytes.subarray(0, 4).toString() === 'PAR1' ? await rows(bytes) : '');
  return values.some((value) => text.includes(value));
}

async function rows(bytes: Buffer): Promise<string> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const all = await parquetReadObjects({ file, compressors: { ZSTD: (input) => decompress(input) } });
  return all.map((row) => Object.values(row).map(String).join('\n')).join('\n');
}
