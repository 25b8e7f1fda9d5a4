import { afterAll, beforeAll } from 'vitest';
import { system } from '../../src/cli/system.ts';
import { s3Storage } from '../../src/storage/index.ts';
import { storageContract } from '../contracts/storage.ts';
import { versionsContract } from '../contracts/storage-versions.ts';
import { type S3Stub, startS3Stub } from '../support/s3/server.ts';
import { versionsAt } from '../support/s3/versions-under-test.ts';

let stub: S3Stub;
beforeAll(async () => {
  stub = await startS3Stub();
});
afterAll(() => stub.close());

let buckets = 0;

storageContract('s3Storage', async () => {
  const bucket = `bucket-${++buckets}`;
  await fetch(`${stub.endpoint}/${bucket}`, { method: 'PUT' });
  const root = `s3://${bucket}/wh`;
  const storage = s3Storage({
    ...system,
    endpoint: stub.endpoint,
    pathStyle: true,
    credentials: { accessKeyId: 'test', secretAccessKey: 'secret' },
    roots: [root],
  });
  return { storage, root, spelled: `s3a://${bucket}/wh/a/b`, close: () => storage.close!() };
});

versionsContract('s3Storage', (options) => versionsAt(stub.endpoint, options));
