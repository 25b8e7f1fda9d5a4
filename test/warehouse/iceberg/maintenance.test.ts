import { copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localStorage } from '../../../src/storage/index.ts';
import { parseJson, stringifyJson } from '../../../src/values/json.ts';
import { type Lake, makeLake } from '../../support/lake.ts';
import { filesUnder, manifestEntries } from '../../support/manifests.ts';
import { PEOPLE, people, peopleFrom, readPeople, withId } from '../../support/rows.ts';

const TABLE = 'crm.learners';
const HOUR = 3_600_000;

let lake: Lake;
let folder: string;
beforeEach(async () => {
  lake = await makeLake();
  folder = join(lake.path, 'crm/learners');
  await lake.warehouse.create(TABLE, {
    columns: PEOPLE,
    properties: { 'write.metadata.metrics.default': 'full' },
  });
  await lake.warehouse.append(TABLE, people(peopleFrom(1n, 10)));
  await lake.warehouse.append(TABLE, people(peopleFrom(100n, 10)));
});
afterEach(() => lake.close());

const hint = async (): Promise<number> =>
  Number(await readFile(join(folder, 'metadata/version-hint.text'), 'utf8'));

/** Changes the newest metadata by hand, as another writer would. */
async function edit(change: (document: Record<string, unknown>) => Record<string, unknown>): Promise<void> {
  const file = join(folder, `metadata/v${await hint()}.metadata.json`);
  const document = parseJson(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, stringifyJson(change(document)));
}

async function dataFiles(): Promise<readonly unknown[]> {
  const names = await readdir(join(folder, 'data'));
  return Promise.all(
    names.sort().map(async (name) => {
      const { size, mtimeMs, ino } = await stat(join(folder, 'data', name));
      return { name, size, mtimeMs, ino };
    }),
  );
}

const boundsOf = async (): Promise<string> => {
  const entries = await manifestEntries(lake.path, TABLE, await lake.warehouse.describe(TABLE));
  return entries.flatMap(({ bounds }) => bounds).join(' ');
};

describe('scrub', () => {
  test("takes deleted entries and unwanted bounds away, and leaves every data file's name, size and time as it was", async () => {
    const { warehouse } = lake;
    await warehouse.change(TABLE, { delete: withId(3n) }, {});
    await warehouse.setProperties(TABLE, { 'write.metadata.metrics.column.e-mail "x".y': 'none' }, {});
    expect(await boundsOf()).toContain('person-');
    const before = [await dataFiles(), await readPeople(warehouse, TABLE)];
    const scrubbed = await warehouse.scrub(TABLE, { why: 'properties' });
    expect(scrubbed).toMatchObject({ manifestsRewritten: 3, entriesDropped: 1, boundsDropped: 4 });
    expect([await dataFiles(), await readPeople(warehouse, TABLE)]).toEqual(before);
    expect(await boundsOf()).not.toContain('person-');
    const entries = await manifestEntries(lake.path, TABLE, await warehouse.describe(TABLE));
    expect(entries.map(({ status }) => status)).toEqual([0, 0]);
    expect((await warehouse.describe(TABLE)).snapshots.at(-1)).toMatchObject({
      operation: 'replace',
      summary: { why: 'properties', 'total-records': '19' },
    });
    // Bounds of the id are still there, and still of use.
    expect(await warehouse.change(TABLE, { delete: withId(105n) }, {})).toMatchObject({ filesRemoved: 1 });
  });

  test('cuts bounds to the length that is allowed, by code point (hazard 25)', async () => {
    const { warehouse } = lake;
    await warehouse.append(TABLE, people([{ id: 500n, email: 'Zoë😀😀 and more' }]));
    await warehouse.setProperties(TABLE, { 'write.metadata.metrics.default': 'truncate(5)' }, {});
    await warehouse.scrub(TABLE, {});
    const entries = await manifestEntries(lake.path, TABLE, await warehouse.describe(TABLE));
    const texts = entries.flatMap(({ bounds }) => bounds.filter((bound) => /^(Zo|pers)/.test(bound)));
    expect(texts.sort()).toEqual(['Zoë😀😀', 'Zoë😀😁', 'perso', 'perso', 'persp', 'persp']);
  });

  test('run again changes nothing', async () => {
    const { warehouse } = lake;
    await warehouse.setProperties(TABLE, { 'write.metadata.metrics.default': 'counts' }, {});
    await warehouse.scrub(TABLE, {});
    const before = await filesUnder(lake.path);
    const again = await warehouse.scrub(TABLE, {});
    expect(again.snapshotAfter).toBe(again.snapshotBefore);
    expect(await filesUnder(lake.path)).toEqual(before);
  });

  test('drops statistics files of both kinds, from the metadata and from disk', async () => {
    const { warehouse } = lake;
    const { currentSnapshotId } = await warehouse.describe(TABLE);
    for (const name of ['s.stats', 'p.parquet']) await writeFile(join(folder, 'metadata', name), 'PFA1');
    const at = (name: string) => [
      {
        'snapshot-id': currentSnapshotId,
        'statistics-path': join(folder, 'metadata', name),
        'file-size-in-bytes': 4,
      },
    ];
    await edit((document) => ({
      ...document,
      statistics: at('s.stats'),
      'partition-statistics': at('p.parquet'),
    }));
    expect(await warehouse.unreferenced(TABLE)).toEqual([]);
    expect(await warehouse.scrub(TABLE, {})).toMatchObject({
      manifestsRewritten: 0,
      statisticsFilesDropped: 2,
    });
    const left = await filesUnder(folder);
    expect(left.filter((file) => /s\.stats|p\.parquet/.test(file))).toEqual([]);
    expect(await warehouse.scrub(TABLE, {})).toMatchObject({ statisticsFilesDropped: 0 });
  });
});

describe('expiry', () => {
  test('removes at once the files that only ended snapshots held, and leaves the rest', async () => {
    const { warehouse } = lake;
    await warehouse.change(TABLE, { delete: withId(3n) }, {});
    const before = await readPeople(warehouse, TABLE);
    const expired = await warehouse.expire(TABLE, { olderThan: lake.clock.at + 1, files: 'delete' });
    expect(expired.snapshots).toHaveLength(2);
    expect(expired.filesDeleted.filter((file) => file.endsWith('.parquet'))).toHaveLength(1);
    expect(await readPeople(warehouse, TABLE)).toEqual(before);
    expect(await warehouse.unreferenced(TABLE)).toEqual([]);
    expect((await warehouse.describe(TABLE)).snapshots).toHaveLength(1);
  });

  test('leaves them without a name where it is told to', async () => {
    const { warehouse } = lake;
    await warehouse.change(TABLE, { delete: withId(3n) }, {});
    const { filesDeleted } = await warehouse.expire(TABLE, { olderThan: lake.clock.at + 1, files: 'leave' });
    expect(filesDeleted).toEqual([]);
    const strays = await warehouse.unreferenced(TABLE);
    expect(strays.filter(({ location }) => location.endsWith('.parquet'))).toHaveLength(1);
    const { deleted } = await warehouse.sweep(TABLE, { minAgeMs: 0 });
    expect(deleted).toEqual(strays.map(({ location }) => location));
  });

  test('with nothing to end makes no commit', async () => {
    const version = await hint();
    expect(await lake.warehouse.expire(TABLE, { olderThan: 0, files: 'delete' })).toEqual({
      snapshots: [],
      filesDeleted: [],
    });
    expect(await hint()).toBe(version);
  });

  test('is refused where garbage collection is off, however that is written', async () => {
    const { warehouse } = lake;
    await warehouse.setProperties(TABLE, { 'gc.enabled': 'False' }, {});
    const refused = { kind: 'refused', code: 'iceberg/gc-disabled' };
    await expect(
      warehouse.expire(TABLE, { olderThan: lake.clock.at + 1, files: 'delete' }),
    ).rejects.toMatchObject(refused);
    await expect(warehouse.sweep(TABLE, { minAgeMs: 0 })).rejects.toMatchObject(refused);
    await expect(warehouse.drop(TABLE, { purge: true })).rejects.toMatchObject(refused);
    await warehouse.setProperties(TABLE, { 'gc.enabled': 'TRUE' }, {});
    await warehouse.expire(TABLE, { olderThan: lake.clock.at + 1, files: 'delete' });
  });

  test('that cannot remove a file fails, and says which (hazard 16)', async () => {
    await lake.warehouse.change(TABLE, { delete: withId(3n) }, {});
    const storage = localStorage();
    const stuck = await lake.open({
      storage: {
        ...storage,
        remove: async (location) => {
          if (location.endsWith('.parquet')) throw Object.assign(new Error('EACCES'), { location });
          return storage.remove(location);
        },
      },
    });
    await expect(stuck.expire(TABLE, { olderThan: lake.clock.at + 1, files: 'delete' })).rejects.toThrow(
      'EACCES',
    );
    expect(
      (await lake.warehouse.unreferenced(TABLE)).some(({ location }) => location.endsWith('.parquet')),
    ).toBe(true);
  });
});

describe('the sweep', () => {
  const stray = async (name: string, ageMs: number): Promise<string> => {
    const file = join(folder, name);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, 'stray');
    const at = new Date(lake.clock.at - ageMs);
    await utimes(file, at, at);
    return file;
  };

  test('takes only what is old enough, and says from when the rest can go', async () => {
    const old = [
      await stray('data/old.parquet', 73 * HOUR),
      await stray('data/_hidden/.x.crc', 72 * HOUR),
      await stray('elsewhere.txt', 100 * HOUR),
    ];
    const young = await stray('data/young.parquet', 71 * HOUR);
    expect((await lake.warehouse.unreferenced(TABLE)).map(({ location }) => location)).toEqual(
      [...old, young].sort(),
    );
    const swept = await lake.warehouse.sweep(TABLE, { minAgeMs: 72 * HOUR });
    expect(swept.deleted).toEqual([...old].sort());
    expect(swept.young).toEqual([{ location: young, sweepableFrom: lake.clock.at + HOUR }]);
    expect((await lake.warehouse.sweep(TABLE, { minAgeMs: 0 })).deleted).toEqual([young]);
    expect(await lake.warehouse.count(TABLE)).toBe(20);
  });

  test('never takes a file of a table inside, nor one that another table names (hazard 21)', async () => {
    const { warehouse } = lake;
    await warehouse.create(`${TABLE}.inner`, { columns: PEOPLE });
    await warehouse.append(`${TABLE}.inner`, people(peopleFrom(1n, 3)));
    await warehouse.create('shop.shared', {
      columns: PEOPLE,
      properties: { 'write.data.path': join(folder, 'data') },
    });
    await warehouse.append('shop.shared', people(peopleFrom(1n, 4)));
    const loose = await stray('data/loose.parquet', 0);
    expect((await warehouse.unreferenced(TABLE)).map(({ location }) => location)).toEqual([loose]);
    await warehouse.sweep(TABLE, { minAgeMs: 0 });
    expect(await warehouse.count(`${TABLE}.inner`)).toBe(3);
    expect(await warehouse.count('shop.shared')).toBe(4);
  });

  test('goes on beside a damaged table, and keeps its files', async () => {
    const { warehouse } = lake;
    const broken = join(folder, 'inner/metadata/v1.metadata.json');
    await mkdir(join(broken, '..'), { recursive: true });
    await writeFile(broken, '{"format-version": 2, "tab');
    const loose = await stray('data/loose.parquet', 0);
    expect((await warehouse.sweep(TABLE, { minAgeMs: 0 })).deleted).toEqual([loose]);
    expect(await readFile(broken, 'utf8')).toContain('format-version');
  });

  test('keeps old metadata that the log names, and takes what fell off it', async () => {
    const { warehouse } = lake;
    await warehouse.setProperties(TABLE, { 'write.metadata.previous-versions-max': '2' }, {});
    await warehouse.setProperties(TABLE, { a: '1' }, {});
    await warehouse.sweep(TABLE, { minAgeMs: 0 });
    const versions = (await readdir(join(folder, 'metadata')))
      .filter((name) => name.endsWith('.json'))
      .sort();
    expect(versions).toEqual(['v3.metadata.json', 'v4.metadata.json', 'v5.metadata.json']);
  });
});

describe('attempts (hazard 38)', () => {
  test('one that fails before its commit leaves nothing', async () => {
    const before = await filesUnder(lake.path);
    const storage = localStorage();
    const failing = await lake.open({
      storage: {
        ...storage,
        writeIfAbsent: async (location, bytes) => {
          if (location.includes('/snap-')) throw new Error('no space left');
          return storage.writeIfAbsent(location, bytes);
        },
      },
    });
    await expect(failing.change(TABLE, { delete: withId(3n) }, {})).rejects.toThrow('no space left');
    await expect(failing.append(TABLE, people(peopleFrom(900n, 3)))).rejects.toThrow('no space left');
    expect(await filesUnder(lake.path)).toEqual(before);
  });

  test('one that lost its race leaves nothing of the lost try, and commits on the new state', async () => {
    const storage = localStorage();
    let raced = false;
    const slow = await lake.open({
      storage: {
        ...storage,
        writeIfAbsent: async (location, bytes) => {
          if (/\/v\d+\.metadata\.json$/.test(location) && !raced) {
            raced = true;
            await lake.warehouse.append(TABLE, people([{ id: 3n, email: 'loaded-again@example.org' }]));
          }
          return storage.writeIfAbsent(location, bytes);
        },
      },
    });
    expect(await slow.change(TABLE, { delete: withId(3n) }, {})).toMatchObject({ rowsDeleted: 2 });
    expect((await readPeople(lake.warehouse, TABLE)).some(({ id }) => id === 3n)).toBe(false);
    expect(await lake.warehouse.unreferenced(TABLE)).toEqual([]);
  });

  test('one whose commit landed although it failed counts as made (hazard 44)', async () => {
    const storage = localStorage();
    let failed = false;
    const lying = await lake.open({
      storage: {
        ...storage,
        replace: async (location, bytes) => {
          await storage.replace(location, bytes);
          if (!failed) {
            failed = true;
            throw new Error('the connection broke');
          }
        },
      },
    });
    expect(await lying.change(TABLE, { delete: withId(3n) }, {})).toMatchObject({ rowsDeleted: 1 });
    expect(await lake.warehouse.count(TABLE)).toBe(19);
    expect(await lake.warehouse.unreferenced(TABLE)).toEqual([]);
  });

  test('an expiry whose hint could not be written is made, and its files are removed', async () => {
    const storage = localStorage();
    const full = await lake.open({
      storage: {
        ...storage,
        replace: async (location, bytes) => {
          if (location.endsWith('version-hint.text')) throw new Error('the disk is full');
          return storage.replace(location, bytes);
        },
      },
    });
    await lake.warehouse.change(TABLE, { delete: withId(3n) }, {});
    const options = { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' } as const;
    const expired = await full.expire(TABLE, options);
    expect([expired.snapshots.length, expired.filesDeleted.length > 0]).toEqual([2, true]);
    expect((await lake.warehouse.describe(TABLE)).snapshots).toHaveLength(1);
    expect(await lake.warehouse.unreferenced(TABLE)).toEqual([]);
  });

  test('files that could not be removed after the commit go with the next run', async () => {
    const storage = localStorage();
    let broken = true;
    const failing = await lake.open({
      storage: {
        ...storage,
        remove: async (location) => {
          if (broken && location.endsWith('.parquet')) throw new Error('the connection broke');
          return storage.remove(location);
        },
      },
    });
    await lake.warehouse.change(TABLE, { delete: withId(3n) }, {});
    const options = { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' } as const;
    await expect(failing.expire(TABLE, options)).rejects.toThrow('the connection broke');
    expect(await lake.warehouse.unreferenced(TABLE)).not.toEqual([]);
    broken = false;
    expect((await failing.expire(TABLE, options)).snapshots).toEqual([]);
    expect(await lake.warehouse.unreferenced(TABLE)).toEqual([]);
    expect(await lake.warehouse.count(TABLE)).toBe(19);
  });

  test('a scrub that cannot tell which files are needed commits nothing', async () => {
    const { snapshots } = await lake.warehouse.describe(TABLE);
    const list = (await filesUnder(folder)).find((file) => file.includes(`snap-${snapshots[0]!.id}-`));
    await rm(join(folder, list!));
    await edit((document) => ({
      ...document,
      statistics: [
        {
          'snapshot-id': document['current-snapshot-id'],
          'statistics-path': join(folder, 'metadata/stats.puffin'),
          'file-size-in-bytes': 4,
          'file-footer-size-in-bytes': 4,
          'blob-metadata': [],
        },
      ],
    }));
    const before = await filesUnder(folder);
    await expect(lake.warehouse.scrub(TABLE, {})).rejects.toMatchObject({ code: 'storage/not-found' });
    expect(await filesUnder(folder)).toEqual(before);
  });

  test('the files of a killed one are cleared by the next, those of a living one are not', async () => {
    const { warehouse } = lake;
    const dead = '11111111-1111-4111-8111-111111111111';
    const alive = '22222222-2222-4222-8222-222222222222';
    const leave = async (id: string, pid: number): Promise<readonly string[]> => {
      await mkdir(join(folder, 'metadata/_attempts'), { recursive: true });
      const owner = { host: hostname(), pid, thread: 0 };
      await writeFile(join(folder, `metadata/_attempts/${id}.json`), JSON.stringify(owner));
      const files = [
        `data/00001-${id}.parquet`,
        `metadata/.${id}-m1.avro.${pid}-0-7.tmp`,
        `metadata/${id}-m0.avro`,
        `metadata/snap-5-1-${id}.avro`,
      ];
      for (const file of files) await writeFile(join(folder, file), '');
      return files.map((file) => join(folder, file));
    };
    // No process has this number: Linux and macOS count no further than 2^22.
    await leave(dead, 2 ** 22 + 7);
    const living = await leave(alive, process.ppid);
    await warehouse.change(TABLE, { delete: withId(3n) }, {});
    const left = (await warehouse.unreferenced(TABLE)).map(({ location }) => location);
    const theirs = [...living, join(folder, `metadata/_attempts/${alive}.json`)].sort();
    expect(left).toEqual(theirs);
    const swept = await warehouse.sweep(TABLE, { minAgeMs: 0 });
    expect([swept.deleted, swept.young.map(({ location }) => location)]).toEqual([[], theirs]);
  });
});

describe('a refusal', () => {
  const codes = async (): Promise<readonly string[]> =>
    (await lake.warehouse.describe(TABLE)).refusals.map(({ code }) => code);

  test('is said in the words of the property', async () => {
    await lake.warehouse.setProperties(
      TABLE,
      { 'gc.enabled': 'false', 'history.expire.min-snapshots-to-keep': '3' },
      {},
    );
    expect((await lake.warehouse.describe(TABLE)).refusals).toMatchObject([
      { code: 'gc-disabled', reason: 'gc.enabled=false turns off garbage collection for the table' },
      {
        code: 'keeps-snapshots',
        reason: 'history.expire.min-snapshots-to-keep=3 keeps the snapshot from before the delete',
      },
    ]);
  });

  test('names each branch and tag', async () => {
    const { currentSnapshotId } = await lake.warehouse.describe(TABLE);
    const ref = (type: string) => ({ 'snapshot-id': currentSnapshotId, type });
    await edit((document) => ({
      ...document,
      refs: { ...(document.refs as object), q1: ref('tag'), audit: ref('branch') },
    }));
    expect(await codes()).toEqual(['branch-or-tag', 'branch-or-tag']);
  });

  test('comes before any change for what cannot be changed: missing row ids, unknown transforms, types', async () => {
    const { warehouse } = lake;
    const refuses = async (code: string): Promise<void> => {
      expect(await codes()).toContain(code);
      const before = await filesUnder(lake.path);
      const refused = { kind: 'refused', code: `iceberg/${code}` };
      await expect(warehouse.change(TABLE, { delete: withId(3n) }, {})).rejects.toMatchObject(refused);
      expect(await filesUnder(lake.path)).toEqual(before);
    };
    await edit((document) => ({ ...document, 'format-version': 3 }));
    await refuses('row-ids');
    await edit((document) => ({
      ...document,
      'format-version': 2,
      'partition-specs': [
        { 'spec-id': 0, fields: [] },
        { 'spec-id': 1, fields: [{ 'source-id': 1, 'field-id': 1000, name: 'z', transform: 'zorder' }] },
      ],
    }));
    await refuses('unknown-transform');
    await edit((document) => {
      const [schema] = document.schemas as { fields: unknown[] }[];
      const fixed = { id: 9, name: 'raw', required: false, type: 'fixed[5]' };
      return {
        ...document,
        'partition-specs': [{ 'spec-id': 0, fields: [] }],
        schemas: [{ ...schema, fields: [...schema!.fields, fixed] }],
      };
    });
    await refuses('unsupported-type');
  });
});

describe('what is gone or damaged', () => {
  test('a data file that is gone fails a change by name, and nothing is changed', async () => {
    const [name] = (await readdir(join(folder, 'data'))).filter((file) => file.endsWith('.parquet'));
    const keep = join(lake.path, 'kept');
    await copyFile(join(folder, 'data', name!), keep);
    await rm(join(folder, 'data', name!));
    const before = [await filesUnder(folder), await hint()];
    const change = lake.warehouse.change(
      TABLE,
      {
        delete: {
          kind: 'in',
          column: 'id',
          values: [
            { type: 'long', value: '3' },
            { type: 'long', value: '103' },
          ],
        },
      },
      {},
    );
    await expect(change).rejects.toMatchObject({ kind: 'failed', message: expect.stringContaining(name!) });
    expect([await filesUnder(folder), await hint()]).toEqual(before);
  });

  test.each(['manifest list', 'manifest'])(
    'a %s that is cut or gone is named, and nothing is changed',
    async (kind) => {
      const names = (await readdir(join(folder, 'metadata'))).filter((name) => name.endsWith('.avro'));
      const { currentSnapshotId } = await lake.warehouse.describe(TABLE);
      const [name] = names.filter((each) =>
        kind === 'manifest' ? !each.startsWith('snap-') : each.includes(String(currentSnapshotId)),
      );
      const file = join(folder, 'metadata', name!);
      const bytes = await readFile(file);
      for (const damage of [bytes.subarray(0, bytes.length - 20), bytes.subarray(0, 3), null]) {
        if (damage === null) await rm(file);
        else await writeFile(file, damage);
        const before = await filesUnder(folder);
        const change = lake.warehouse.change(TABLE, { delete: withId(3n) }, {});
        await expect(change).rejects.toMatchObject({
          kind: 'failed',
          message: expect.stringContaining(name!),
        });
        expect(await filesUnder(folder)).toEqual(before);
      }
    },
  );

  test('a manifest that ends early between two blocks is not passed over', async () => {
    // Cut right after the header, it is a valid file of no entries.
    const names = (await readdir(join(folder, 'metadata'))).filter((name) => /-m\d+\.avro$/.test(name));
    const file = join(folder, 'metadata', names[0]!);
    const bytes = await readFile(file);
    const sync = bytes.subarray(-16);
    await writeFile(file, bytes.subarray(0, bytes.indexOf(sync) + 16));
    await expect(lake.warehouse.count(TABLE)).rejects.toMatchObject({ code: 'iceberg/incomplete-manifest' });
  });

  test('a file outside the warehouse that a manifest names is not touched', async () => {
    const outside = await makeLake();
    try {
      await outside.warehouse.create('x', { columns: PEOPLE });
      await outside.warehouse.append('x', people(peopleFrom(1n, 3)));
      const theirs = join(outside.path, 'x/metadata');
      const names = (await readdir(theirs)).filter((name) => name.startsWith('snap-'));
      await edit((document) => ({
        ...document,
        snapshots: (document.snapshots as object[]).map((snapshot) => ({
          ...snapshot,
          'manifest-list': join(theirs, names[0]!),
        })),
      }));
      const refused = { kind: 'refused', code: 'storage/outside' };
      await expect(lake.warehouse.count(TABLE)).rejects.toMatchObject(refused);
      await expect(lake.warehouse.change(TABLE, { delete: { kind: 'always' } }, {})).rejects.toMatchObject(
        refused,
      );
      expect(await outside.warehouse.count('x')).toBe(3);
    } finally {
      await outside.close();
    }
  });
});
