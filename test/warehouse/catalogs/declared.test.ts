import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { system } from '../../../src/cli/system.ts';
import { openIceberg, type Warehouse } from '../../../src/warehouse/index.ts';
import { arrow } from '../../erasure/job/lake.ts';
import { storageAt } from '../../support/s3/bucket-of.ts';
import { type S3Stub, startS3Stub } from '../../support/s3/server.ts';

let dir: string;
const opened: Warehouse[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-declared-'));
  for (const folder of ['wh', 'old']) await mkdir(join(dir, folder));
});
afterEach(async () => {
  for (const warehouse of opened.splice(0)) await warehouse.close();
  await rm(dir, { recursive: true, force: true });
});

async function open(
  path: string,
  given: Partial<Parameters<typeof openIceberg>[0]> = {},
): Promise<Warehouse> {
  const warehouse = await openIceberg({ catalog: { kind: 'directory', path }, ...system, ...given });
  opened.push(warehouse);
  return warehouse;
}

async function fill(warehouse: Warehouse, table: string): Promise<void> {
  await warehouse.create(table, { columns: [{ name: 'id', type: 'long' }] });
  await warehouse.append(table, arrow({ id: [1, 2] }));
}

test('a declared table is found beside those of the catalog, read and changed', async () => {
  await fill(await open(join(dir, 'old')), 'crm.learners');
  await fill(await open(join(dir, 'wh')), 'crm.people');
  const tables = { 'crm.archive': join(dir, 'old/crm/learners') };
  const warehouse = await open(join(dir, 'wh'), { tables });
  expect(await warehouse.list()).toEqual(['crm.archive', 'crm.people']);
  await warehouse.append('crm.archive', arrow({ id: [3] }));
  expect(await warehouse.count('crm.archive')).toBe(3);
  expect(await (await open(join(dir, 'old'))).count('crm.learners')).toBe(3);
  await expect(
    warehouse.create('crm.archive', { columns: [{ name: 'id', type: 'long' }] }),
  ).rejects.toMatchObject({ code: 'warehouse/table-exists' });
});

test('two names for one folder, and one name for two, are refused', async () => {
  await fill(await open(join(dir, 'old')), 'crm.learners');
  await fill(await open(join(dir, 'wh')), 'crm.people');
  const sameName = await open(join(dir, 'wh'), { tables: { 'crm.people': join(dir, 'old/crm/learners') } });
  await expect(sameName.list()).rejects.toMatchObject({ code: 'catalog/ambiguous' });
  const samePlace = await open(join(dir, 'wh'), { tables: { 'crm.again': join(dir, 'wh/crm/people') } });
  await expect(samePlace.list()).rejects.toMatchObject({ code: 'catalog/ambiguous' });
});

test('one that is not there is no table', async () => {
  const warehouse = await open(join(dir, 'wh'), { tables: { 'crm.archive': join(dir, 'old/nowhere') } });
  await expect(warehouse.count('crm.archive')).rejects.toMatchObject({ code: 'warehouse/no-such-table' });
});

test('a copy of S3 on disk is read by the names that its metadata has', async () => {
  const stub = await startS3Stub();
  await fetch(`${stub.endpoint}/lake`, { method: 'PUT' });
  const storage = storageAt(stub.endpoint, { roots: ['s3://lake/wh'] });
  await fill(await open('s3://lake/wh', { storage }), 'crm.people');
  await download(stub, join(dir, 'restored'));
  await stub.close();
  const mounts = { 's3://lake/wh/': `${join(dir, 'restored/wh')}/` };
  const restored = await open(join(dir, 'restored/wh'), { mounts });
  expect(await restored.list()).toEqual(['crm.people']);
  expect(await restored.count('crm.people')).toBe(2);
  const unmounted = await open(join(dir, 'restored/wh'));
  await expect(unmounted.count('crm.people')).rejects.toMatchObject({ kind: 'refused' });
});

test('a table that lies in S3 is not reached from a warehouse on disk', async () => {
  await fill(await open(join(dir, 'old')), 'crm.learners');
  await cp(join(dir, 'old'), join(dir, 'wh'), { recursive: true });
  const warehouse = await open(join(dir, 'wh'));
  await expect(warehouse.storage.read('s3://lake/wh/secret')).rejects.toMatchObject({
    kind: 'refused',
    code: 'storage/scheme',
  });
  await expect(warehouse.count('crm.learners')).rejects.toMatchObject({ code: 'iceberg/location-outside' });
});

async function download({ buckets }: S3Stub, to: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  for (const [key] of buckets.get('lake')!.objects) {
    await mkdir(join(to, key, '..'), { recursive: true });
    await writeFile(join(to, key), buckets.get('lake')!.current(key)!.bytes);
  }
}
