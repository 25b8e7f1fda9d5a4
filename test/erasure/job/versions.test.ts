import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EraseOptions, type Evidence, isClean } from '../../../src/erasure/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import type { StoredBucket } from '../../support/s3/bucket.ts';
import { bucketHolds } from '../../support/s3/bucket-holds.ts';
import { storageAt } from '../../support/s3/bucket-of.ts';
import { type S3Stub, startS3Stub } from '../../support/s3/server.ts';
import { eraseIn, type Lake, makeLake, openLake, PERSON, ROWS_LEFT, rowsOf, VALUES } from './lake.ts';

let dir: string;
let stub: S3Stub;
let bucket: StoredBucket;
let storage: Storage;
let lake: Lake;
const path = 's3://lake/wh';

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-versions-'));
  stub = await startS3Stub();
  await fetch(`${stub.endpoint}/lake`, { method: 'PUT' });
  bucket = stub.buckets.get('lake')!;
  bucket.versioning = 'Enabled';
  storage = storageAt(stub.endpoint, { roots: [path], temporary: dir });
  lake = await makeLake(dir, { path, storage });
});

afterEach(async () => {
  await lake.warehouse.close();
  expect((await readdir(dir)).filter((name) => name.startsWith('lethe-'))).toEqual([]);
  await stub.close();
  await rm(dir, { recursive: true, force: true });
});

function table({ tables }: Evidence, name: string): Evidence['tables'][number] {
  return tables.find((each) => each.table === name)!;
}

/** Keys that have anything but one current version. */
function remains(): readonly string[] {
  const keys = [...bucket.objects].filter(([, all]) => all.length > 1 || all[0]!.marker).map(([key]) => key);
  return [...keys, ...[...bucket.uploads.values()].map(({ key }) => key)];
}

test('E5: after an erasure in a versioned bucket no version of any object holds the person', async () => {
  bucket.upload('wh/crm/learners/data/never-finished.parquet', {});
  expect(await bucketHolds(bucket, VALUES)).not.toEqual([]);
  const evidence = await eraseIn(lake, { minAgeMs: 0 });
  expect(await rowsOf(lake.warehouse)).toEqual(ROWS_LEFT);
  expect(isClean(evidence)).toBe(true);
  expect(remains()).toEqual([]);
  const kept = [PERSON.id, PERSON.review].map(String);
  expect(
    await bucketHolds(
      bucket,
      VALUES.filter((value) => !kept.includes(value)),
    ),
  ).toEqual([]);
  expect(table(evidence, 'crm.learners').versions).toMatchObject({ uploads: 1, left: 0, why: [] });
  expect(table(evidence, 'crm.learners').versions!.noncurrent).toBeGreaterThan(3);
  expect(table(evidence, 'crm.learners').versions!.deleteMarkers).toBeGreaterThan(3);
});

test('E5: the scan looks into versions that no listing shows', async () => {
  const current = { ...storage, versions: () => null };
  await lake.warehouse.close();
  lake = await openLake(dir, { path, storage: current });
  const evidence = await eraseIn(lake);
  expect(isClean(evidence)).toBe(true);
  expect(evidence.tables.map(({ versions }) => versions)).toEqual(evidence.tables.map(() => null));
  lake = await openLake(dir, { path, storage });
  const again = await eraseIn(lake, { request: 'erasure-0002', dryRun: true });
  const { totals } = again;
  expect(totals.filesHolding).toBeGreaterThan(3);
  expect(isClean(again)).toBe(false);
});

test('E5: suspended versioning keeps the old ones, and they go', async () => {
  bucket.versioning = 'Suspended';
  const evidence = await eraseIn(lake);
  expect(isClean(evidence)).toBe(true);
  expect(remains()).toEqual([]);
});

describe('E5: an erasure is refused before the first change', () => {
  const TABLE = 'wh/crm/learners';
  const lock = (headers: Record<string, string>): void => {
    bucket.locks = true;
    bucket.put(`${TABLE}/data/locked.parquet`, Buffer.from('x'), headers);
  };
  const CASES: readonly [string, () => void, string, RegExp][] = [
    [
      'a lock has not ended, with the day on which it does',
      () =>
        lock({
          'x-amz-object-lock-mode': 'COMPLIANCE',
          'x-amz-object-lock-retain-until-date': '2099-03-01T12:00:00Z',
        }),
      'object-lock',
      /locked until 2099-03-01/,
    ],
    ['a legal hold', () => lock({ 'x-amz-object-lock-legal-hold': 'ON' }), 'legal-hold', /legal hold/],
    ['a second factor', () => (bucket.secondFactor = true), 'mfa-delete', /second factor/],
    [
      'old versions cannot be listed',
      () => stub.denied.add('s3:ListBucketVersions'),
      'versions-denied',
      /cannot be listed/,
    ],
    [
      'locks cannot be seen',
      () => stub.denied.add('s3:GetBucketObjectLockConfiguration'),
      'locks-denied',
      /cannot be told/,
    ],
    [
      'retentions cannot be seen',
      () => {
        lock({ 'x-amz-object-lock-retain-until-date': '2099-03-01T12:00:00Z' });
        stub.denied.add('s3:GetObjectRetention');
      },
      'locks-denied',
      /cannot be told/,
    ],
  ];
  test.each(CASES)('%s', async (_, arrange, code, reason) => {
    arrange();
    const before = [...bucket.objects].map(([key, all]) => [key, all.map(({ id }) => id)]);
    const error = (await eraseIn(lake).catch((cause: unknown) => cause)) as {
      readonly tables: readonly { readonly table: string; readonly code: string; readonly reason: string }[];
    };
    const found = error.tables.filter((each) => each.table === 'crm.learners');
    expect(found.map((each) => each.code)).toEqual([code]);
    expect(found[0]!.reason).toMatch(reason);
    expect([...bucket.objects].map(([key, all]) => [key, all.map(({ id }) => id)])).toEqual(before);
  });

  test('and may go on once the lock has ended', async () => {
    lock({ 'x-amz-object-lock-retain-until-date': '2020-03-01T12:00:00Z' });
    expect(isClean(await eraseIn(lake, { minAgeMs: 0 }))).toBe(true);
  });

  test('but not for who may not list versions of a bucket that keeps none', async () => {
    bucket.versioning = undefined;
    stub.denied.add('s3:ListBucketVersions');
    expect(isClean(await eraseIn(lake))).toBe(true);
  });
});

test('E5: what a lock keeps after all is counted, its file does not come back, and the person is found in it', async () => {
  const holder = [...bucket.objects].find(([key]) => /crm\/learners\/data\//.test(key))!;
  const [key, [version]] = holder;
  const progress: EraseOptions['progress'] = (event) => {
    if (event.kind !== 'stage' || event.stage !== 'purge') return;
    const locked = { ...version!, headers: { 'x-amz-object-lock-legal-hold': 'ON' } };
    bucket.objects.set(
      key,
      bucket.objects.get(key)!.map((each) => (each.id === version!.id ? locked : each)),
    );
  };
  const evidence = await eraseIn(lake, { progress });
  const { versions } = table(evidence, 'crm.learners');
  expect(versions).toMatchObject({ left: 2, why: ['AccessDenied'] });
  expect(table(evidence, 'crm.learners').filesHolding).toBe(1);
  expect(isClean(evidence)).toBe(false);
  expect(bucket.current(key)).toBeUndefined();
  const entry = bucket.objects.get(key)!.map((each) => ({ ...each, headers: {} }));
  bucket.objects.set(key, entry);
  const again = await eraseIn(lake);
  expect(isClean(again)).toBe(true);
  expect(remains()).toEqual([]);
});

test('E5: an upload that may be at work stays, and is not proven', async () => {
  bucket.upload('wh/crm/learners/data/at-work.parquet', {});
  const evidence = await eraseIn(lake, { minAgeMs: 3_600_000 });
  expect(bucket.uploads.size).toBe(1);
  expect(evidence.young.map(({ file }) => file)).toEqual([`${path}/crm/learners/data/at-work.parquet`]);
  expect(table(evidence, 'crm.learners')).toMatchObject({ notProven: 1, versions: { uploads: 0, left: 0 } });
  expect(isClean(evidence)).toBe(false);
});

describe('E4: a job on S3 that is killed and started again ends the same, and leaves no copy', () => {
  test.each(['lend:data/.*parquet', 'purge:2'])('at %s', async (point) => {
    const program = fileURLToPath(new URL('killed-job.ts', import.meta.url));
    const args = ['--import', 'tsx', program, dir, point, stub.endpoint, path];
    const killed = await spawned(args);
    expect(killed).toBe('SIGKILL');
    if (point.startsWith('lend')) {
      const [left] = (await readdir(dir)).filter((name) => name.startsWith('lethe-s3-'));
      expect(await readdir(join(dir, left!))).not.toEqual([]);
    }
    const evidence = await eraseIn(lake, { minAgeMs: 0 });
    expect(isClean(evidence)).toBe(true);
    expect(await rowsOf(lake.warehouse)).toEqual(ROWS_LEFT);
    expect(remains()).toEqual([]);
    expect(table(evidence, 'crm.learners').versions!.noncurrent).toBeGreaterThan(3);
  });
});

/** The signal that ended a program. It runs beside this process, which is its server. */
function spawned(args: readonly string[]): Promise<NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', (_, signal) => resolve(signal));
  });
}
