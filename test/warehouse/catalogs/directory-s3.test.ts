import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { erase } from '../../../src/erasure/index.ts';
import { type Storage, storageByScheme } from '../../../src/storage/index.ts';
import { localStorage } from '../../../src/storage/local.ts';
import type { Catalog } from '../../../src/warehouse/catalog.ts';
import { directoryCatalog } from '../../../src/warehouse/catalogs/directory.ts';
import { newTable } from '../../../src/warehouse/iceberg/metadata/create.ts';
import { readMetadata, writeMetadata } from '../../../src/warehouse/iceberg/metadata/metadata.ts';
import { catalogContract } from '../../contracts/catalog.ts';
import { makeLake, requestIn } from '../../erasure/job/lake.ts';
import { seededRandom } from '../../support/lake.ts';
import { newBucket } from '../../support/s3/bucket-of.ts';
import { type S3Stub, startS3Stub } from '../../support/s3/server.ts';

const clock = { now: () => 1_700_000_000_000 };
const random = seededRandom(3);

let stub: S3Stub;
beforeAll(async () => {
  stub = await startS3Stub();
});
afterAll(() => stub.close());

catalogContract('directory in S3', async () => {
  const { root: path, storage } = await newBucket(stub.endpoint);
  const another = async (): Promise<Catalog> => directoryCatalog({ path, storage, clock });
  return { catalog: await another(), another, close: () => storage.close!() };
});

describe('the newest metadata in S3', () => {
  let storage: Storage;
  let folder: string;
  let catalog: Catalog;
  beforeEach(async () => {
    const bucket = await newBucket(stub.endpoint);
    // As a warehouse opens it: a listing is one question only where the table is in S3.
    storage = storageByScheme({ local: localStorage(), s3: bucket.storage });
    folder = `${bucket.root}/crm/t/metadata`;
    catalog = directoryCatalog({ path: bucket.root, storage, clock });
    const definition = { columns: [{ name: 'id', type: 'long' }] };
    const location = `${bucket.root}/crm/t`;
    await catalog.create('crm.t', newTable({ table: 'crm.t', definition, location, now: 0, random }));
    await catalog.load('crm.t');
    stub.requests.length = 0;
  });

  const newest = async (): Promise<string> => (await catalog.load('crm.t')).metadataFile.split('/').at(-1)!;
  const bytesOf = async (version: string): Promise<Uint8Array> => {
    const metadata = readMetadata(version, await storage.read(`${folder}/v1.metadata.json`));
    return writeMetadata({ ...metadata, json: { ...metadata.json, properties: { version } } });
  };
  const put = async (name: string, version = name): Promise<void> =>
    storage.replace(`${folder}/${name}`, await bytesOf(version));

  test('is found by one request while nothing changes', async () => {
    await catalog.load('crm.t');
    expect(stub.requests).toEqual(['GET ?encoding-type&list-type&prefix']);
  });

  test('is found by three after a commit of another writer', async () => {
    await directoryCatalog({ path: folder.replace('/crm/t/metadata', ''), storage, clock }).commit('crm.t', {
      requirements: [],
      updates: [{ action: 'set-properties', updates: { a: '1' } }],
    });
    stub.requests.length = 0;
    expect(await newest()).toBe('v2.metadata.json');
    expect(stub.requests.map((line) => line.split('/').at(-1))).toEqual([
      'GET ?encoding-type&list-type&prefix',
      'version-hint.text',
      'v2.metadata.json',
    ]);
  });

  test('is the highest after the one that the hint names, whatever is missing in between', async () => {
    for (const version of [2, 3, 5, 10]) await put(`v${version}.metadata.json`);
    expect(await newest()).toBe('v10.metadata.json');
    await storage.replace(`${folder}/version-hint.text`, Buffer.from('10'));
    await put('v11.gz.metadata.json');
    await put('v12.metadata.json.bak');
    expect(await newest()).toBe('v11.gz.metadata.json');
    expect(await catalog.hidden!('crm.t')).toBeNull();
  });

  test('may be named without the v, by the hint alone', async () => {
    await put('7.metadata.json');
    await storage.replace(`${folder}/version-hint.text`, Buffer.from('7'));
    expect(await newest()).toBe('7.metadata.json');
  });

  test('is found without a hint, and with one that names nothing', async () => {
    await put('v9.metadata.json');
    await storage.replace(`${folder}/version-hint.text`, Buffer.from('12'));
    expect(await newest()).toBe('v9.metadata.json');
    await storage.remove(`${folder}/version-hint.text`);
    expect(await newest()).toBe('v9.metadata.json');
  });

  test('is read again where another engine wrote over it', async () => {
    await put('v1.metadata.json', 'another');
    expect((await catalog.load('crm.t')).metadata.properties).toEqual({ version: 'another' });
  });
});

test('an erasure from six small tables takes about eight hundred requests', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lethe-requests-'));
  const { root: path, storage } = await newBucket(stub.endpoint, { temporary: dir });
  const lake = await makeLake(dir, { path, storage });
  stub.requests.length = 0;
  await erase(requestIn(lake, { minAgeMs: 0 }));
  expect(stub.requests.length).toBeLessThan(880);
  await lake.warehouse.close();
  await rm(dir, { recursive: true, force: true });
});
