import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { VersionsUnderTest } from '../../contracts/storage-versions.ts';
import { storageAt } from './bucket-of.ts';

let buckets = 0;

/** A new bucket of a server, with a storage in it. */
export async function versionsAt(
  endpoint: string,
  { locks }: { readonly locks: boolean } = { locks: false },
): Promise<VersionsUnderTest> {
  const Bucket = `versions-${process.pid}-${++buckets}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'owner', secretAccessKey: 'secret' },
  });
  await client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: locks }));
  const root = `s3://${Bucket}/wh`;
  const storage = storageAt(endpoint, { roots: [root] });
  const keyOf = (location: string): string => location.slice(`s3://${Bucket}/`.length);
  return {
    storage,
    root,
    setVersioning: async (Status) => {
      await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
    },
    putRaw: async (Key, content) => {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(content) }));
    },
    putLocked: async (location, { until, hold = false }) => {
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key: keyOf(location),
          Body: 'locked',
          ...(until === undefined ? {} : { ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate: until }),
          ...(hold ? { ObjectLockLegalHoldStatus: 'ON' } : {}),
        }),
      );
    },
    beginUpload: async (location) => {
      await client.send(new CreateMultipartUploadCommand({ Bucket, Key: keyOf(location) }));
    },
    close: async () => {
      client.destroy();
      await storage.close!();
    },
  };
}
