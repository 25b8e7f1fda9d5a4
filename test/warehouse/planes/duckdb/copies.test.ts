import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { system } from '../../../../src/cli/system.ts';
import { compare, equals } from '../../../../src/predicate/index.ts';
import type { Storage } from '../../../../src/storage/index.ts';
import { openIceberg, type Warehouse } from '../../../../src/warehouse/index.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { arrow } from '../../../erasure/job/lake.ts';
import { storageAt } from '../../../support/s3/bucket-of.ts';
import { type S3Stub, startS3Stub } from '../../../support/s3/server.ts';

let dir: string;
let stub: S3Stub;
let warehouse: Warehouse;
/** Bytes of copies that are on this machine, now and at most, and how many files were lent. */
let copied: { now: number; most: number; files: number };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-copies-'));
  stub = await startS3Stub();
  await fetch(`${stub.endpoint}/lake`, { method: 'PUT' });
  copied = { now: 0, most: 0, files: 0 };
  const path = 's3://lake/wh';
  const storage = watched(storageAt(stub.endpoint, { roots: [path], temporary: dir }));
  const plane = await duckdbPlane({ storage, copiedBytes: SPACE, temporary: dir });
  warehouse = await openIceberg({ catalog: { kind: 'directory', path }, storage, plane, ...system });
  await warehouse.create('t', {
    columns: [
      { name: 'id', type: 'long' },
      { name: 'who', type: 'string' },
    ],
  });
  for (let file = 0; file < FILES; file += 1) {
    const ids = Array.from({ length: ROWS }, (_, row) => file * ROWS + row);
    await warehouse.append('t', arrow({ id: ids, who: ids.map((id) => `person ${id % 7}`) }));
  }
  copied = { now: 0, most: 0, files: 0 };
});
afterEach(async () => {
  await warehouse.close();
  expect(await readdir(dir)).toEqual([]);
  await stub.close();
  await rm(dir, { recursive: true, force: true });
});

const FILES = 6;
const ROWS = 1000;
/** Room for two of the files. */
const SPACE = 25_000;

function watched(storage: Storage): Storage {
  return {
    ...storage,
    withLocalFile: async (location, use) => {
      const { size } = await storage.stat(location);
      return storage.withLocalFile(location, async (path) => {
        copied.files += 1;
        copied.now += size;
        copied.most = Math.max(copied.most, copied.now);
        try {
          return await use(path);
        } finally {
          copied.now -= size;
        }
      });
    },
  };
}

test('rows are read and changed with copies in bounded space, the same as all at once', async () => {
  const described = await warehouse.describe('t');
  expect(described.dataFiles).toBe(FILES);
  expect(await warehouse.count('t', equals('who', { type: 'text', value: 'person 3' }))).toBe(857);
  const names = [];
  for await (const [who] of warehouse.distinct('t', ['who'])) names.push(who?.value);
  expect(names.sort()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `person ${n}`));
  const ids: bigint[] = [];
  for await (const batch of warehouse.read('t', { columns: ['id'] })) ids.push(...batch.getChild('id')!);
  expect(ids.sort((a, b) => Number(a - b))).toEqual(
    Array.from({ length: FILES * ROWS }, (_, id) => BigInt(id)),
  );
  const changed = await warehouse.change(
    't',
    { delete: equals('who', { type: 'text', value: 'person 3' }) },
    {},
  );
  expect(changed).toMatchObject({ rowsDeleted: 857, filesAdded: FILES, filesRemoved: FILES });
  expect(await warehouse.count('t')).toBe(FILES * ROWS - 857);
  expect(copied.files).toBeGreaterThan(4 * FILES);
  expect(copied.most).toBeLessThanOrEqual(SPACE);
  expect(copied.most).toBeGreaterThan(0);
  expect(copied.now).toBe(0);
});

test('one file that is larger than the space is copied alone', async () => {
  await warehouse.append('t', arrow({ id: Array.from({ length: 40_000 }, (_, id) => 100_000 + id * 7919) }));
  copied = { now: 0, most: 0, files: 0 };
  expect(await warehouse.count('t', compare('id', '>=', { type: 'long', value: '100000' }))).toBe(40_000);
  expect(await warehouse.count('t')).toBe(FILES * ROWS + 40_000);
  expect(copied.most).toBeGreaterThan(SPACE);
  const { size } = await largest();
  expect(copied.most).toBe(size);
});

test('a reader that is left in the middle leaves no copy', async () => {
  for await (const _ of warehouse.read('t')) break;
  expect(copied.now).toBe(0);
});

async function largest(): Promise<{ readonly size: number }> {
  let most = { size: 0 };
  for await (const file of warehouse.storage.list('s3://lake/wh/t/data'))
    if (file.size > most.size) most = file;
  return most;
}
