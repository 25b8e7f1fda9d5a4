import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localStorage } from '../../../src/storage/index.ts';
import { type Lake, makeLake } from '../../support/lake.ts';
import { filesUnder, manifestEntries } from '../../support/manifests.ts';
import { PEOPLE, people, peopleFrom, readPeople, withId } from '../../support/rows.ts';

const TABLE = 'crm.learners';
const BIG = 2n ** 53n + 1n;

let lake: Lake;
beforeEach(async () => {
  lake = await makeLake();
  await lake.warehouse.create(TABLE, {
    columns: PEOPLE,
    properties: { 'write.metadata.metrics.default': 'full' },
  });
});
afterEach(() => lake.close());

const metadataOf = async (): Promise<string> => {
  const folder = join(lake.path, 'crm/learners/metadata');
  const hint = (await readFile(join(folder, 'version-hint.text'), 'utf8')).trim();
  return readFile(join(folder, `v${hint}.metadata.json`), 'utf8');
};

describe('rows', () => {
  test('come back as they went in, with ids above 2^53, odd column names and nulls, through other commits', async () => {
    const { warehouse } = lake;
    const [first, second] = [peopleFrom(BIG, 10), peopleFrom(BIG + 100n, 5)];
    await warehouse.append(TABLE, people(first));
    const { snapshotAfter } = await warehouse.append(TABLE, people(second), { load: 'nightly' });
    expect(await readPeople(await lake.open(), TABLE)).toEqual([...first, ...second]);
    await warehouse.change(TABLE, { delete: withId(BIG + 3n) }, {});
    expect(await warehouse.count(TABLE)).toBe(14);
    expect(await readPeople(warehouse, TABLE, snapshotAfter!)).toEqual([...first, ...second]);
    expect(await readPeople(warehouse, TABLE)).toEqual(
      [...first, ...second].filter(({ id }) => id !== BIG + 3n),
    );
  });

  test('are replaced in one commit', async () => {
    const { warehouse } = lake;
    await warehouse.append(TABLE, people(peopleFrom(1n, 10)));
    const some = await warehouse.overwrite(TABLE, people(peopleFrom(100n, 1)), { where: withId(3n) });
    expect(some).toMatchObject({ rowsDeleted: 1, rowsAdded: 1 });
    expect((await readPeople(warehouse, TABLE)).map(({ id }) => id)).toEqual([
      1n,
      2n,
      4n,
      5n,
      6n,
      7n,
      8n,
      9n,
      10n,
      100n,
    ]);
    const all = await warehouse.overwrite(TABLE, people(peopleFrom(200n, 2)), { note: { rebuilt: 'yes' } });
    expect(all).toMatchObject({ rowsDeleted: 10, rowsAdded: 2, filesRemoved: 2 });
    expect((await readPeople(warehouse, TABLE)).map(({ id }) => id)).toEqual([200n, 201n]);
    const { snapshots } = await warehouse.describe(TABLE);
    expect(snapshots.map(({ operation }) => operation)).toEqual(['append', 'overwrite', 'overwrite']);
  });

  test('that are not there make no commit, no file, and no other metadata', async () => {
    const { warehouse, path } = lake;
    await warehouse.append(TABLE, people(peopleFrom(1n, 10)));
    const before = [await filesUnder(path), await metadataOf()];
    const changed = await warehouse.change(TABLE, { delete: withId(5000n) }, {});
    expect(changed.snapshotAfter).toBe(changed.snapshotBefore);
    expect(await warehouse.append(TABLE, people([]))).toMatchObject({ rowsAdded: 0, filesAdded: 0 });
    expect([await filesUnder(path), await metadataOf()]).toEqual(before);
  });

  test('a table without any commit is empty, not an error', async () => {
    const { warehouse } = lake;
    expect(await warehouse.count(TABLE)).toBe(0);
    expect(await warehouse.count(TABLE, withId(1n))).toBe(0);
    expect(await readPeople(warehouse, TABLE)).toEqual([]);
    expect(await warehouse.scrub(TABLE, {})).toMatchObject({ snapshotAfter: null, manifestsRewritten: 0 });
    expect((await warehouse.change(TABLE, { delete: { kind: 'always' } }, {})).snapshotAfter).toBeNull();
  });

  test('a snapshot that is not there is named', async () => {
    await expect(lake.warehouse.count(TABLE, undefined, { snapshotId: 7n })).rejects.toMatchObject({
      kind: 'input',
      code: 'warehouse/no-such-snapshot',
      data: { snapshotId: '7' },
    });
  });
});

describe('a commit', () => {
  test('notes what it was for in the summary, and keeps the totals', async () => {
    const { warehouse } = lake;
    await warehouse.append(TABLE, people(peopleFrom(1n, 10)));
    await warehouse.append(TABLE, people(peopleFrom(11n, 5)));
    await warehouse.change(TABLE, { delete: withId(3n) }, { 'erasure-request': 'R-7' });
    const { snapshots } = await warehouse.describe(TABLE);
    expect(snapshots.at(-1)).toMatchObject({
      operation: 'overwrite',
      summary: {
        'erasure-request': 'R-7',
        'added-data-files': '1',
        'deleted-data-files': '1',
        'added-records': '9',
        'deleted-records': '10',
        'total-records': '14',
        'total-data-files': '2',
      },
    });
    await warehouse.change(TABLE, { delete: { kind: 'always' } }, {});
    expect((await warehouse.describe(TABLE)).snapshots.at(-1)).toMatchObject({
      operation: 'delete',
      summary: { 'total-records': '0', 'total-data-files': '0' },
    });
  });

  test('leaves entries of deleted files without bounds, and kept entries with theirs (hazard 19)', async () => {
    const { warehouse, path } = lake;
    await warehouse.append(TABLE, people(peopleFrom(1n, 10)));
    await warehouse.append(TABLE, people(peopleFrom(100n, 10)));
    await warehouse.change(TABLE, { delete: withId(3n) }, {});
    const entries = await manifestEntries(path, TABLE, await warehouse.describe(TABLE));
    const statuses = entries.map(({ status, bounds }) => [status, bounds.length > 0]);
    expect(statuses.sort()).toEqual([
      [1, true],
      [1, true],
      [2, false],
    ]);
  });

  test('touches only the files that can hold a match', async () => {
    const { warehouse } = lake;
    for (let file = 0n; file < 5n; file += 1n)
      await warehouse.append(TABLE, people(peopleFrom(file * 100n, 10)));
    expect(await warehouse.change(TABLE, { delete: withId(203n) }, {})).toMatchObject({
      rowsDeleted: 1,
      filesAdded: 1,
      filesRemoved: 1,
    });
  });

  test('opens a file before it goes where only its bounds say that all of it does: writers have had them wrong', async () => {
    const { warehouse } = lake;
    await warehouse.append(TABLE, people(peopleFrom(1n, 10)));
    await warehouse.append(TABLE, people(peopleFrom(100n, 10)));
    const storage = localStorage();
    const opened: string[] = [];
    const watched = await lake.open({
      storage: {
        ...storage,
        withLocalFile: (location, use) => {
          opened.push(location);
          return storage.withLocalFile(location, use);
        },
      },
    });
    const below: Parameters<typeof warehouse.change>[1] = {
      delete: { kind: 'compare', column: 'id', op: '<', value: { type: 'long', value: '50' } },
    };
    expect(await watched.change(TABLE, below, {})).toMatchObject({
      rowsDeleted: 10,
      filesAdded: 0,
      filesRemoved: 1,
    });
    expect(new Set(opened).size).toBe(1);
    expect((await warehouse.describe(TABLE)).snapshots.at(-1)?.operation).toBe('delete');
    expect(await warehouse.count(TABLE)).toBe(10);
  });
});

describe('properties', () => {
  test('are set where they differ, and make no commit where they do not', async () => {
    const { warehouse } = lake;
    await warehouse.setProperties(TABLE, { 'a"b': "'; drop" }, {});
    expect((await warehouse.describe(TABLE)).properties).toMatchObject({ 'a"b': "'; drop" });
    const before = await metadataOf();
    await warehouse.setProperties(TABLE, { 'a"b': "'; drop" }, {});
    expect(await metadataOf()).toBe(before);
  });
});

describe('a table', () => {
  test('cannot be made twice, without columns, or with a column of no type', async () => {
    const { warehouse } = lake;
    await expect(warehouse.create(TABLE, { columns: PEOPLE })).rejects.toMatchObject({
      code: 'warehouse/table-exists',
    });
    for (const columns of [
      [],
      [PEOPLE[0], PEOPLE[0]],
      [{ name: '', type: 'long' }],
      [{ name: 'a', type: 'bigint' }],
    ]) {
      await expect(warehouse.create('a.b', { columns })).rejects.toMatchObject({
        kind: 'input',
        code: 'warehouse/columns',
      });
    }
    expect(await warehouse.list()).toEqual([TABLE]);
  });

  test('is dropped with its files, and not with those of a table inside its folder', async () => {
    const { warehouse, path } = lake;
    await warehouse.append(TABLE, people(peopleFrom(1n, 3)));
    await warehouse.create(`${TABLE}.inner`, { columns: PEOPLE });
    await warehouse.append(`${TABLE}.inner`, people(peopleFrom(1n, 3)));
    await warehouse.drop(TABLE, { purge: true });
    expect(await warehouse.list()).toEqual([`${TABLE}.inner`]);
    expect(await warehouse.count(`${TABLE}.inner`)).toBe(3);
    expect((await filesUnder(path)).every((file) => file.includes('/inner/'))).toBe(true);
  });

  test('that is dropped without its files leaves them where the scan finds them', async () => {
    const { warehouse, path } = lake;
    await warehouse.append(TABLE, people(peopleFrom(1n, 3)));
    await warehouse.drop(TABLE, { purge: false });
    expect(await warehouse.list()).toEqual([]);
    expect((await filesUnder(path)).filter((file) => file.endsWith('.parquet'))).toHaveLength(1);
  });
});
