import { mkdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localStorage } from '../../../../src/storage/index.ts';
import { startOf } from '../../../../src/storage/processes.ts';
import { ALL_BUT_CURRENT } from '../../../support/all-but-current.ts';
import { filesUnder } from '../../../support/manifests.ts';
import { people, peopleFrom, readPeople, withId } from '../../../support/rows.ts';
import { makePeopleLake, type PeopleLake, statisticsAt, TABLE } from './people-lake.ts';

let lake: PeopleLake;
beforeEach(async () => {
  lake = await makePeopleLake();
});
afterEach(() => lake.close());

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
    const expired = await full.expire(TABLE, ALL_BUT_CURRENT);
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
    await expect(failing.expire(TABLE, ALL_BUT_CURRENT)).rejects.toThrow('the connection broke');
    expect(await lake.warehouse.unreferenced(TABLE)).not.toEqual([]);
    broken = false;
    expect((await failing.expire(TABLE, ALL_BUT_CURRENT)).snapshots).toEqual([]);
    expect(await lake.warehouse.unreferenced(TABLE)).toEqual([]);
    expect(await lake.warehouse.count(TABLE)).toBe(19);
  });

  test('a scrub that cannot tell which files are needed commits nothing', async () => {
    const { snapshots } = await lake.warehouse.describe(TABLE);
    const list = (await filesUnder(lake.folder)).find((file) => file.includes(`snap-${snapshots[0]!.id}-`));
    await rm(join(lake.folder, list!));
    await lake.edit((document) => ({
      ...document,
      statistics: [statisticsAt(join(lake.folder, 'metadata/stats.puffin'), document['current-snapshot-id'])],
    }));
    const before = await filesUnder(lake.folder);
    await expect(lake.warehouse.scrub(TABLE, {})).rejects.toMatchObject({ code: 'storage/not-found' });
    expect(await filesUnder(lake.folder)).toEqual(before);
  });

  test('the files of a killed one are cleared by the next, those of a living one are not', async () => {
    const { warehouse } = lake;
    const dead = '11111111-1111-4111-8111-111111111111';
    const alive = '22222222-2222-4222-8222-222222222222';
    const reused = '33333333-3333-4333-8333-333333333333';
    const leave = async (id: string, pid: number, started?: string | null): Promise<readonly string[]> => {
      await mkdir(join(lake.folder, 'metadata/_attempts'), { recursive: true });
      const owner = { host: hostname(), pid, started, thread: 0 };
      await writeFile(join(lake.folder, `metadata/_attempts/${id}.json`), JSON.stringify(owner));
      const files = [
        `data/00001-${id}.parquet`,
        `metadata/.${id}-m1.avro.${pid}-0-7.tmp`,
        `metadata/${id}-m0.avro`,
        `metadata/snap-5-1-${id}.avro`,
      ];
      for (const file of files) await writeFile(join(lake.folder, file), '');
      return files.map((file) => join(lake.folder, file));
    };
    // No process has this number: Linux and macOS count no further than 2^22.
    await leave(dead, 2 ** 22 + 7);
    const living = await leave(alive, process.ppid, startOf(process.ppid));
    // Its number has gone to another process since: where the system tells when that one started, it is seen.
    if (startOf(process.ppid) !== null) await leave(reused, process.ppid, 'long before');
    await warehouse.change(TABLE, { delete: withId(3n) }, {});
    const left = (await warehouse.unreferenced(TABLE)).map(({ location }) => location);
    const theirs = [...living, join(lake.folder, `metadata/_attempts/${alive}.json`)].sort();
    expect(left).toEqual(theirs);
    const swept = await warehouse.sweep(TABLE, { minAgeMs: 0 });
    expect([swept.deleted, swept.young.map(({ location }) => location)]).toEqual([[], theirs]);
  });
});
