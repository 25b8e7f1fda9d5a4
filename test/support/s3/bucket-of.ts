import { system } from '../../../src/cli/system.ts';
import { type Storage, s3Storage } from '../../../src/storage/index.ts';
import type { S3StorageOptions } from '../../../src/storage/s3/options.ts';

let buckets = 0;

/** A new bucket, and a storage for a folder in it. */
export async function newBucket(
  endpoint: string,
  options: Partial<S3StorageOptions> = {},
): Promise<{ readonly bucket: string; readonly root: string; readonly storage: Storage }> {
  const bucket = `bucket-${process.pid}-${++buckets}`;
  await fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  const root = `s3://${bucket}/wh`;
  return { bucket, root, storage: storageAt(endpoint, { roots: [root], ...options }) };
}

export function storageAt(endpoint: string, options: Partial<S3StorageOptions> = {}): Storage {
  const credentials = { accessKeyId: 'AKIDSHOWN', secretAccessKey: 'never-to-be-shown' };
  return s3Storage({ ...system, endpoint, pathStyle: true, credentials, ...options });
}
