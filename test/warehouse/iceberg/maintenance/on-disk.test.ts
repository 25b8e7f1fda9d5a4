import { basename, dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localStorage, type Storage } from '../../../../src/storage/index.ts';
import type { Warehouse } from '../../../../src/warehouse/index.ts';
import { ALL_BUT_CURRENT } from '../../../support/all-but-current.ts';
import { people, peopleFrom, withId } from '../../../support/rows.ts';
import { makePeopleLake, type PeopleLake, TABLE } from './people-lake.ts';

let lake: PeopleLake;
beforeEach(async () => {
  lake = await makePeopleLake();
});
afterEach(() => lake.close());

const works: Readonly<Record<string, (warehouse: Warehouse) => Promise<unknown>>> = {
  change: (warehouse) => warehouse.change(TABLE, { delete: withId(3n) }, {}),
  append: (warehouse) => warehouse.append(TABLE, people(peopleFrom(99n, 1))),
  scrub: (warehouse) => warehouse.scrub(TABLE, {}),
  expire: (warehouse) => warehouse.expire(TABLE, ALL_BUT_CURRENT),
};

test.each(Object.entries(works))(
  'what %s commits is on disk with its name before its commit',
  async (_, work) => {
    await lake.warehouse.change(TABLE, { delete: withId(2n) }, {});
    /** Files whose names wait for the next one in their folder. */
    const unnamed = new Set<string>();
    const commits: string[] = [];
    const storage = localStorage();
    const note = (location: string, onDisk: Parameters<Storage['replace']>[2] = 'all'): void => {
      const isHint = basename(location) === 'version-hint.text';
      expect(onDisk === 'nothing').toBe(isHint);
      if (location.endsWith('.metadata.json')) {
        commits.push(location);
        expect([...unnamed]).toEqual([]);
      }
      if (onDisk === 'content') unnamed.add(location);
      if (onDisk !== 'all') return;
      for (const file of unnamed) if (dirname(file) === dirname(location)) unnamed.delete(file);
    };
    const watched = await lake.open({
      storage: {
        ...storage,
        writeIfAbsent: async (location, bytes, onDisk) => {
          note(location, onDisk);
          return storage.writeIfAbsent(location, bytes, onDisk);
        },
        replace: async (location, bytes, onDisk) => {
          note(location, onDisk);
          return storage.replace(location, bytes, onDisk);
        },
      },
    });
    await work(watched);
    expect(commits).toHaveLength(1);
    expect([...unnamed]).toEqual([]);
  },
);
