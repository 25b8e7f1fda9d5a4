import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from 'vitest';
import { type EraseOptions, erase, isClean } from '../../src/erasure/index.ts';
import { makeLake, PERSON, ROWS_LEFT, rowsOf } from '../erasure/job/lake.ts';
import { objectHolds } from '../support/s3/bucket-holds.ts';
import { storageAt } from '../support/s3/bucket-of.ts';
import { service } from './services/index.ts';
import type { S3Server } from './services/moto.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await service('s3');
});

/** Texts of the person that no table keeps. */
const GONE = [PERSON.name, PERSON.email, PERSON.card].map((text) => text.slice(0, 8));

test('E5: after an erasure on a real server no version of any object holds the person', async () => {
  const { endpoint, region, accessKeyId, secretAccessKey } = s3;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  const Bucket = `erasure-${process.pid}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  await client.send(
    new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
  );
  const dir = await mkdtemp(join(tmpdir(), 'lethe-erasure-s3-'));
  const path = `s3://${Bucket}/wh`;
  const storage = storageAt(endpoint, { region, roots: [path], temporary: dir });
  const lake = await makeLake(dir, { path, storage });
  try {
    await client.send(
      new CreateMultipartUploadCommand({ Bucket, Key: 'wh/crm/learners/data/never finished.parquet' }),
    );
    const versions = async (): Promise<readonly { readonly key: string; readonly holds: boolean }[]> => {
      const { Versions = [], DeleteMarkers = [] } = await client.send(
        new ListObjectVersionsCommand({ Bucket }),
      );
      expect(Versions.length).toBeLessThan(1000);
      const read = Versions.map(async ({ Key, VersionId }) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
        return { key: Key!, holds: await objectHolds(Buffer.from(await Body!.transformToByteArray()), GONE) };
      });
      return [...(await Promise.all(read)), ...DeleteMarkers.map(({ Key }) => ({ key: Key!, holds: false }))];
    };
    expect((await versions()).filter(({ holds }) => holds).length).toBe(2);
    const { warehouse, governance, plan, register, jobs, folders } = lake;
    const evidence = await erase({
      ...{ warehouse, governance, register, jobs, ...folders, plan, minAgeMs: 0 },
      ...{ subject: 'learner', ids: [PERSON.id], request: 'erasure-0001', day: '2026-10-01' },
    } as EraseOptions);
    expect(isClean(evidence)).toBe(true);
    expect(await rowsOf(warehouse)).toEqual(ROWS_LEFT);
    const left = await versions();
    expect(left.filter(({ holds }) => holds)).toEqual([]);
    const keys = left.map(({ key }) => key);
    expect(keys).toEqual([...new Set(keys)]);
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    expect(Uploads).toEqual([]);
    const counts = evidence.tables.find(({ table }) => table === 'crm.learners')!.versions;
    expect(counts).toMatchObject({ uploads: 1, left: 0 });
    expect(counts!.noncurrent).toBeGreaterThan(3);
  } finally {
    await lake.warehouse.close();
    client.destroy();
    expect((await readdir(dir)).filter((name) => name.startsWith('lethe-'))).toEqual([]);
    await rm(dir, { recursive: true, force: true });
  }
});
