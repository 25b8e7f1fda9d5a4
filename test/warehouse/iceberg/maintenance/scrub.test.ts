import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filesUnder, manifestEntries } from '../../../support/manifests.ts';
import { people, readPeople, withId } from '../../../support/rows.ts';
import { makePeopleLake, type PeopleLake, statisticsAt, TABLE } from './people-lake.ts';

let lake: PeopleLake;
beforeEach(async () => {
  lake = await makePeopleLake();
});
afterEach(() => lake.close());

async function dataFiles(): Promise<readonly unknown[]> {
  const names = await readdir(join(lake.folder, 'data'));
  return Promise.all(
    names.sort().map(async (name) => {
      const { size, mtimeMs, ino } = await stat(join(lake.folder, 'data', name));
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
    for (const name of ['s.stats', 'p.parquet']) await writeFile(join(lake.folder, 'metadata', name), 'PFA1');
    const at = (name: string) => [statisticsAt(join(lake.folder, 'metadata', name), currentSnapshotId)];
    await lake.edit((document) => ({
      ...document,
      statistics: at('s.stats'),
      'partition-statistics': at('p.parquet'),
    }));
    expect(await warehouse.unreferenced(TABLE)).toEqual([]);
    expect(await warehouse.scrub(TABLE, {})).toMatchObject({
      manifestsRewritten: 0,
      statisticsFilesDropped: 2,
    });
    const left = await filesUnder(lake.folder);
    expect(left.filter((file) => /s\.stats|p\.parquet/.test(file))).toEqual([]);
    expect(await warehouse.scrub(TABLE, {})).toMatchObject({ statisticsFilesDropped: 0 });
  });
});
