import { beforeAll } from 'vitest';
import { system } from '../../src/cli/system.ts';
import { s3Storage } from '../../src/storage/index.ts';
import { storageContract } from '../contracts/storage.ts';
import { versionsContract } from '../contracts/storage-versions.ts';
import { versionsAt } from '../support/s3/versions-under-test.ts';
import { service } from './services/index.ts';
import type { S3Server } from './services/moto.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await service('s3');
});

let buckets = 0;

storageContract('s3Storage on moto', async () => {
  const bucket = `storage-contract-${process.pid}-${++buckets}`;
  await fetch(`${s3.endpoint}/${bucket}`, { method: 'PUT' });
  const root = `s3://${bucket}/wh`;
  const { endpoint, region, accessKeyId, secretAccessKey } = s3;
  const credentials = { accessKeyId, secretAccessKey };
  const storage = s3Storage({ ...system, endpoint, region, pathStyle: true, credentials, roots: [root] });
  return { storage, root, spelled: `s3a://${bucket}/wh/a/b`, close: () => storage.close!() };
});

versionsContract(
  's3Storage on moto',
  (options) => versionsAt(s3.endpoint, options),
  'moto forgets all versions of a key that is written while versioning is suspended',
);
