import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localStorage } from '../../../../src/storage/index.ts';
import { readPeople, withId } from '../../../support/rows.ts';
import { makePeopleLake, type PeopleLake, TABLE } from './people-lake.ts';

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
