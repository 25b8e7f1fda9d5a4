import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localStorage } from '../../../src/storage/index.ts';
import { stringifyJson } from '../../../src/values/json.ts';
import type { Catalog } from '../../../src/warehouse/catalog.ts';
import { directoryCatalog } from '../../../src/warehouse/catalogs/directory.ts';
import { openCatalog } from '../../../src/warehouse/catalogs/open.ts';
import { HandedOut } from '../../../src/warehouse/catalogs/vended.ts';
import { newTable } from '../../../src/warehouse/iceberg/metadata/create.ts';
import { type TableMetadata, writeMetadata } from '../../../src/warehouse/iceberg/metadata/metadata.ts';
import type { Update } from '../../../src/warehouse/iceberg/metadata/updates.ts';
import { catalogContract } from '../../contracts/catalog.ts';
import { seededRandom } from '../../support/lake.ts';

const clock = { now: () => 1_700_000_000_000 };

function open(path: string, takeOver = false): Catalog {
  return directoryCatalog({ path, storage: localStorage({ roots: [path] }), clock, takeOver });
}

catalogContract('directory', async () => {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'lethe-catalog-')));
  return {
    catalog: open(path),
    another: async () => open(path),
    close: () => rm(path, { recursive: true, force: true }),
  };
});

const random = seededRandom(3);
let path: string;
beforeEach(async () => {
  path = await realpath(await mkdtemp(join(tmpdir(), 'lethe-catalog-')));
});
afterEach(() => rm(path, { recursive: true, force: true }));

function metadataAt(location: string, now = 1_700_000_000_000): TableMetadata {
  return newTable({
    table: 't',
    definition: { columns: [{ name: 'id', type: 'long' }] },
    location,
    now,
    random,
  });
}

/** Puts metadata files into a table's folder, as other writers name them. */
async function put(folder: string, files: Readonly<Record<string, TableMetadata | string>>): Promise<void> {
  await mkdir(join(path, folder, 'metadata'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? content : writeMetadata(content);
    await writeFile(join(path, folder, 'metadata', name), bytes);
  }
}

const newest = async (table: string): Promise<string> =>
  (await open(path).load(table)).metadataFile.split('/').at(-1)!;

describe('names', () => {
  test('are the folders, at any depth, with or without .db', async () => {
    await put('crm/learners', { 'v1.metadata.json': metadataAt(join(path, 'crm/learners')) });
    await put('shop.db/orders', { 'v1.metadata.json': metadataAt(join(path, 'shop.db/orders')) });
    await put('a/b/c/d', { '00000-x.gz.metadata.json': metadataAt(join(path, 'a/b/c/d')) });
    await put('crm/learners/nested', {
      'v1.metadata.json.gz': metadataAt(join(path, 'crm/learners/nested')),
    });
    await put('no/table', { 'notes.json': '{}' });
    expect((await open(path).list()).map(({ table }) => table)).toEqual([
      'a.b.c.d',
      'crm.learners',
      'crm.learners.nested',
      'shop.orders',
    ]);
  });

  test('a folder that is a table itself is one table', async () => {
    await put('.', { 'v1.metadata.json': metadataAt(path) });
    const name = path.split('/').at(-1)!;
    expect(await open(path).list()).toEqual([{ table: name, location: path }]);
    expect((await open(path).load(name)).table).toBe(name);
  });

  test('two folders of one name are an error that names both', async () => {
    await put('crm/learners', { 'v1.metadata.json': metadataAt(join(path, 'crm/learners')) });
    await put('crm.db/learners', { 'v1.metadata.json': metadataAt(join(path, 'crm.db/learners')) });
    const locations = [join(path, 'crm.db/learners'), join(path, 'crm/learners')];
    await expect(open(path).list()).rejects.toMatchObject({ code: 'catalog/ambiguous', data: { locations } });
  });
});

describe('the newest metadata', () => {
  const at = (now: number): TableMetadata => metadataAt(join(path, 't'), now);

  test('is the one of the hint, and what follows it', async () => {
    await put('t', {
      'v1.metadata.json': at(1),
      'v2.metadata.json': at(2),
      'v3.metadata.json': at(3),
      'v5.metadata.json': at(5),
      'version-hint.text': '2\n',
    });
    expect(await newest('t')).toBe('v3.metadata.json');
    // What a missing version hides is told, so that nobody removes what it names.
    expect(await open(path).hidden!('t')).toBe(join(path, 't/metadata/v5.metadata.json'));
    await put('t', { 'v4.metadata.json': at(4) });
    expect(await newest('t')).toBe('v5.metadata.json');
    expect(await open(path).hidden!('t')).toBeNull();
  });

  test('may be named otherwise by the hint, or packed', async () => {
    await put('t', {
      'vfinal.metadata.json': at(1),
      'v9.metadata.json': at(9),
      'version-hint.text': 'final',
    });
    expect(await newest('t')).toBe('vfinal.metadata.json');
    await put('u', {
      'v1.metadata.json': metadataAt(join(path, 'u')),
      'v2.gz.metadata.json': metadataAt(join(path, 'u')),
      'version-hint.text': '1',
    });
    expect(await newest('u')).toBe('v2.gz.metadata.json');
  });

  test.each(['7', '', '../../etc/passwd', '\0'])('is found without the hint where it is %j', async (hint) => {
    await put('t', { 'v9.metadata.json': at(1), 'v10.metadata.json': at(2), 'version-hint.text': hint });
    expect(await newest('t')).toBe('v10.metadata.json');
  });

  test('is the highest number, and of several the latest by its own time', async () => {
    await put('t', {
      '00009-a.metadata.json': at(99),
      '00010-a.metadata.json': at(7),
      '00010-b.metadata.json': at(8),
      '00010-c.metadata.json': 'cut sho',
    });
    expect(await newest('t')).toBe('00010-b.metadata.json');
  });

  test('without any number is the latest by its own time, not by the file', async () => {
    await put('t', { 'a.metadata.json': at(8), 'b.metadata.json': at(7) });
    expect(await newest('t')).toBe('a.metadata.json');
  });

  test('that is damaged is an error, not the version before it', async () => {
    await put('t', {
      'v1.metadata.json': at(1),
      'v2.metadata.json': '{"format-version": 2, "table-u',
      'version-hint.text': '1',
    });
    await expect(open(path).load('t')).rejects.toMatchObject({
      code: 'iceberg/damaged-metadata',
      data: { file: join(path, 't/metadata/v2.metadata.json') },
    });
  });
});

describe('a table of another catalog', () => {
  beforeEach(() => put('t', { '00003-abc.metadata.json': metadataAt(join(path, 't')) }));
  const set = { requirements: [], updates: [{ action: 'set-properties' as const, updates: { a: 'b' } }] };

  test('is read, and not changed', async () => {
    expect((await open(path).load('t')).refusal).toMatchObject({ code: 'foreign-catalog' });
    await expect(open(path).commit('t', set)).rejects.toMatchObject({
      kind: 'refused',
      code: 'iceberg/foreign-catalog',
    });
    expect(await newest('t')).toBe('00003-abc.metadata.json');
  });

  test('is taken over by the next version, and is ours from then on', async () => {
    await open(path, true).commit('t', set);
    expect(await newest('t')).toBe('v4.metadata.json');
    expect((await open(path).load('t')).refusal).toBeNull();
  });
});

describe('places', () => {
  test('metadata that claims a place outside the warehouse is refused by name', async () => {
    await put('t', { 'v1.metadata.json': metadataAt('/somewhere/else') });
    await expect(open(path).load('t')).rejects.toMatchObject({
      kind: 'refused',
      code: 'iceberg/location-outside',
      data: { location: '/somewhere/else' },
    });
  });

  test.each(['crm', '.'])(
    'metadata that claims a folder above the table, %s, is refused by name',
    async (above) => {
      const location = join(path, above);
      await put('crm/t', { 'v1.metadata.json': metadataAt(location) });
      await expect(open(path).load('crm.t')).rejects.toMatchObject({
        kind: 'refused',
        code: 'iceberg/location-above',
        data: { table: 'crm.t', location, folder: join(path, 'crm/t') },
      });
    },
  );

  test('a file is no warehouse, and a folder that is not there is one without tables', async () => {
    const storage = localStorage({ roots: [path] });
    const at = (name: string) =>
      openCatalog(
        { kind: 'directory', path: join(path, name) },
        {
          storage,
          clock,
          random,
          patience: { sleep: async () => {}, random },
          handedOut: new HandedOut(clock),
        },
      );
    await writeFile(join(path, 'lake'), 'x');
    await expect(at('lake')).rejects.toMatchObject({ kind: 'input', code: 'catalog/no-folder' });
    expect(await (await at('new')).list()).toEqual([]);
  });

  test('a table cannot be made where it would not be found', async () => {
    const make = (table: string, location: string) => open(path).create(table, metadataAt(location));
    await expect(make('crm.t', join(path, 'other/t'))).rejects.toMatchObject({ code: 'warehouse/location' });
    await expect(make('crm.t', '/elsewhere/crm/t')).rejects.toMatchObject({ kind: expect.any(String) });
    await open(path).create('crm.t', metadataAt(`file://${path}/crm.db/t`));
    expect(await open(path).list()).toEqual([{ table: 'crm.t', location: join(path, 'crm.db/t') }]);
  });

  test('a table folder that is a link to outside is refused', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'lethe-outside-'));
    try {
      await symlink(outside, join(path, 'linked'));
      await expect(open(path).list()).rejects.toMatchObject({ code: 'storage/outside' });
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });
});

test('metadata is typed once while its bytes are the same, and again where the same file says something else', async () => {
  const at = (now: number): TableMetadata => metadataAt(join(path, 't'), now);
  await put('t', { 'v1.metadata.json': at(1), 'version-hint.text': '1' });
  const catalog = open(path);
  const { metadata } = await catalog.load('t');
  expect((await catalog.load('t')).metadata).toBe(metadata);
  const file = join(path, 't/metadata/v1.metadata.json');
  const { atime, mtime } = await stat(file);
  // As long as before, in the same place, and of the same time.
  await writeFile(file, writeMetadata({ ...metadata, json: { ...metadata.json, 'last-updated-ms': 2 } }));
  await utimes(file, atime, mtime);
  expect((await catalog.load('t')).metadata.lastUpdated).toBe(2);
});

test('metadata that was committed is not typed again, and says what another reads of it', async () => {
  const catalog = open(path);
  const location = join(path, 't');
  await catalog.create('t', metadataAt(location));
  const snapshot = {
    'snapshot-id': 2n ** 62n + 1n,
    'sequence-number': 1n,
    'timestamp-ms': 1_700_000_000_001,
    summary: { operation: 'append' },
    'manifest-list': `${location}/metadata/1.avro`,
    'schema-id': 0,
  };
  const id = { 'snapshot-id': snapshot['snapshot-id'] };
  for (const update of [
    { action: 'set-properties', updates: { owner: 'crm' } },
    { action: 'add-snapshot', snapshot },
    { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', ...id },
    { action: 'set-snapshot-ref', 'ref-name': 'eoy', type: 'tag', ...id },
    { action: 'remove-snapshot-ref', 'ref-name': 'eoy' },
  ] as const satisfies readonly Update[]) {
    const { metadata } = await catalog.commit('t', { requirements: [], updates: [update] });
    expect((await catalog.load('t')).metadata).toBe(metadata);
    const { json, ...read } = (await open(path).load('t')).metadata;
    expect(metadata).toMatchObject(read);
    expect(stringifyJson(metadata.json)).toBe(stringifyJson(json));
  }
});

test('a version that another engine renamed over ours is seen, and the commit made again', async () => {
  const storage = localStorage({ roots: [path] });
  await put('t', { 'v1.metadata.json': metadataAt(join(path, 't')) });
  await cp(join(path, 't/metadata/v1.metadata.json'), join(path, 'theirs'));
  let raced = false;
  const catalog = directoryCatalog({
    path,
    clock,
    storage: {
      ...storage,
      writeIfAbsent: async (location, bytes) => {
        await storage.writeIfAbsent(location, bytes);
        if (!raced) await rename(join(path, 'theirs'), location);
        raced = true;
      },
    },
  });
  const set = {
    requirements: [],
    updates: [{ action: 'set-properties' as const, updates: { mine: 'yes' } }],
  };
  const { metadataFile } = await catalog.commit('t', set);
  expect(metadataFile).toBe(join(path, 't/metadata/v3.metadata.json'));
  expect(await readFile(join(path, 't/metadata/v2.metadata.json'), 'utf8')).not.toContain('mine');
});

test('a commit removes old metadata beside its own alone, whatever else the log names', async () => {
  const owned = metadataAt(join(path, 't'));
  const others = ['u/metadata/v1.metadata.json', 't/data/a.parquet', 't/metadata/notes.json', 'precious.csv'];
  const old = 't/metadata/v1.metadata.json';
  const newest = 't/metadata/v3.metadata.json';
  const log = [...others, old, newest].map((file) => ({
    'timestamp-ms': 1,
    'metadata-file': join(path, file),
  }));
  const properties = {
    'write.metadata.delete-after-commit.enabled': 'true',
    'write.metadata.previous-versions-max': '1',
  };
  const json = { ...owned.json, properties, 'metadata-log': log };
  await put('u', { 'v1.metadata.json': metadataAt(join(path, 'u')) });
  await put('t', { 'v1.metadata.json': owned, 'v2.metadata.json': { ...owned, json }, 'notes.json': '{}' });
  await mkdir(join(path, 't/data'));
  for (const file of ['t/data/a.parquet', 'precious.csv']) await writeFile(join(path, file), 'kept');
  const set = { requirements: [], updates: [{ action: 'set-properties' as const, updates: { a: '1' } }] };
  expect((await open(path).commit('t', set)).metadataFile).toBe(join(path, newest));
  for (const file of [...others, newest]) expect((await stat(join(path, file))).isFile(), file).toBe(true);
  await expect(stat(join(path, old))).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each([
  ['a folder', (file: string) => mkdir(file)],
  [
    'a folder with files',
    (file: string) =>
      mkdir(join(file, 'x'), { recursive: true }).then(() => writeFile(join(file, 'x/y'), '')),
  ],
  ['a link to nothing', (file: string) => symlink('gone', file)],
])('a commit whose name is taken by %s is an error that names it', async (_, take) => {
  await put('t', { 'v1.metadata.json': metadataAt(join(path, 't')) });
  const file = join(path, 't/metadata/v2.metadata.json');
  await take(file);
  const set = { requirements: [], updates: [{ action: 'set-properties' as const, updates: { a: '1' } }] };
  await expect(open(path).commit('t', set)).rejects.toMatchObject({
    code: 'catalog/name-taken',
    data: { table: 't', file },
  });
});
