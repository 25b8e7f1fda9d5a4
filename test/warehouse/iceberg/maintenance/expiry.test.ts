import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localStorage } from '../../../../src/storage/index.ts';
import { ALL_BUT_CURRENT } from '../../../support/all-but-current.ts';
import { commitFiles, stateOf } from '../../../support/delete-files.ts';
import { filesUnder } from '../../../support/manifests.ts';
import { PEOPLE, people, peopleFrom, readPeople, withId } from '../../../support/rows.ts';
import { makePeopleLake, type PeopleLake, statisticsAt, TABLE } from './people-lake.ts';

let lake: PeopleLake;
beforeEach(async () => {
  lake = await makePeopleLake();
});
afterEach(() => lake.close());

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

  test('takes the statistics of ended snapshots along, of both kinds, and leaves those of the others', async () => {
    const { warehouse } = lake;
    const [old, current] = (await warehouse.describe(TABLE)).snapshots;
    const places = { 'old.stats': old!.id, 'old.parquet': old!.id, 'new.stats': current!.id };
    const at = (name: keyof typeof places) => statisticsAt(join(lake.folder, 'metadata', name), places[name]);
    for (const name of Object.keys(places)) await writeFile(join(lake.folder, 'metadata', name), 'PFA1');
    await lake.edit((document) => ({
      ...document,
      statistics: [at('old.stats'), at('new.stats')],
      'partition-statistics': [at('old.parquet')],
    }));
    const { filesDeleted } = await warehouse.expire(TABLE, ALL_BUT_CURRENT);
    expect(filesDeleted.filter((file) => /\.(?:stats|parquet)$/.test(file))).toEqual(
      ['old.parquet', 'old.stats'].map((name) => join(lake.folder, 'metadata', name)),
    );
    const left = await filesUnder(join(lake.folder, 'metadata'));
    expect(left.filter((file) => /\.(?:stats|parquet)$/.test(file))).toEqual(['/new.stats']);
    expect(await warehouse.unreferenced(TABLE)).toEqual([]);
  });

  test('never takes a file that another table names too (hazard 21)', async () => {
    const { warehouse } = lake;
    // As a snapshot procedure makes them: metadata of its own over files that are there.
    await warehouse.create('shop.copied', { columns: PEOPLE });
    const files = await (await stateOf(lake, TABLE)).files({});
    await commitFiles(
      lake,
      'shop.copied',
      files.map(({ file }) => file),
    );
    await warehouse.change(TABLE, { delete: withId(3n) }, {});
    const { filesDeleted } = await warehouse.expire(TABLE, ALL_BUT_CURRENT);
    expect(filesDeleted.filter((file) => file.endsWith('.parquet'))).toEqual([]);
    expect(await warehouse.count('shop.copied')).toBe(20);
    // Nor does the other one, once it ends: half of the files are still the first table's.
    await warehouse.overwrite('shop.copied', people(peopleFrom(1n, 1)));
    const ended = await warehouse.expire('shop.copied', ALL_BUT_CURRENT);
    expect(ended.filesDeleted.filter((file) => file.endsWith('.parquet'))).toHaveLength(1);
    expect(await warehouse.count(TABLE)).toBe(19);
  });

  test.each(['tag', 'branch'])(
    'sees a %s that another writer puts on a snapshot in the middle',
    async (type) => {
      await lake.warehouse.change(TABLE, { delete: withId(3n) }, {});
      const [first] = (await lake.warehouse.describe(TABLE)).snapshots;
      const storage = localStorage();
      let raced = false;
      const slow = await lake.open({
        storage: {
          ...storage,
          writeIfAbsent: async (location, bytes) => {
            // What goes is written down last before the commit.
            if (location.includes('/_attempts/') && !raced) {
              raced = true;
              const refs = { eoy: { 'snapshot-id': first!.id, type } };
              await lake.edit((document) => ({
                ...document,
                refs: { ...(document.refs as object), ...refs },
              }));
            }
            return storage.writeIfAbsent(location, bytes);
          },
        },
      });
      const { snapshots } = await slow.expire(TABLE, ALL_BUT_CURRENT);
      expect(snapshots).not.toContain(first!.id);
      expect(snapshots).toHaveLength(1);
      expect((await readPeople(lake.warehouse, TABLE, first!.id)).map(({ id }) => id)).toContain(3n);
      expect(await lake.warehouse.unreferenced(TABLE)).toEqual([]);
    },
  );

  test('writes down once what goes, with the try itself', async () => {
    await lake.warehouse.change(TABLE, { delete: withId(3n) }, {});
    const records: unknown[] = [];
    const storage = localStorage();
    const watched = await lake.open({
      storage: {
        ...storage,
        writeIfAbsent: async (location, bytes) => {
          if (location.includes('/_attempts/')) records.push(JSON.parse(new TextDecoder().decode(bytes)));
          return storage.writeIfAbsent(location, bytes);
        },
        replace: async (location, bytes) => {
          expect(location).not.toContain('/_attempts/');
          return storage.replace(location, bytes);
        },
      },
    });
    const { filesDeleted } = await watched.expire(TABLE, ALL_BUT_CURRENT);
    expect(records).toEqual([expect.objectContaining({ removing: filesDeleted })]);
    expect(filesDeleted).not.toEqual([]);
  });

  test('with nothing to end makes no commit', async () => {
    const version = await lake.hint();
    expect(await lake.warehouse.expire(TABLE, { olderThan: 0, files: 'delete' })).toEqual({
      snapshots: [],
      filesDeleted: [],
    });
    expect(await lake.hint()).toBe(version);
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
