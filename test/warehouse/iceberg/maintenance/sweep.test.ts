import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filesUnder } from '../../../support/manifests.ts';
import { PEOPLE, people, peopleFrom } from '../../../support/rows.ts';
import { makePeopleLake, type PeopleLake, TABLE } from './people-lake.ts';

const HOUR = 3_600_000;

let lake: PeopleLake;
beforeEach(async () => {
  lake = await makePeopleLake();
});
afterEach(() => lake.close());

describe('the sweep', () => {
  const stray = async (name: string, ageMs: number): Promise<string> => {
    const file = join(lake.folder, name);
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

  test('takes at any age what the metadata named once and no longer does (rule E4)', async () => {
    const { warehouse } = lake;
    const named = await warehouse.referenced(TABLE);
    const there = (await filesUnder(lake.folder)).map((file) => `${lake.folder}${file}`);
    expect([...named].sort()).toEqual(there.sort());
    await warehouse.overwrite(TABLE, people(peopleFrom(1n, 3)));
    await warehouse.expire(TABLE, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'leave' });
    const young = await stray('data/young.parquet', 0);
    const left = (await warehouse.unreferenced(TABLE)).map(({ location }) => location);
    const swept = await warehouse.sweep(TABLE, { minAgeMs: 72 * HOUR, named });
    expect(swept.young.map(({ location }) => location)).toEqual([young]);
    expect(swept.deleted).toEqual(left.filter((location) => location !== young));
    expect(swept.deleted.filter((location) => location.endsWith('.parquet')).length).toBeGreaterThan(0);
    expect(await warehouse.count(TABLE)).toBe(3);
  });

  test('never takes a file of a table inside, nor one that another table names (hazard 21)', async () => {
    const { warehouse } = lake;
    await warehouse.create(`${TABLE}.inner`, { columns: PEOPLE });
    await warehouse.append(`${TABLE}.inner`, people(peopleFrom(1n, 3)));
    await warehouse.create('shop.shared', {
      columns: PEOPLE,
      properties: { 'write.data.path': join(lake.folder, 'data') },
    });
    await warehouse.append('shop.shared', people(peopleFrom(1n, 4)));
    const loose = await stray('data/loose.parquet', 0);
    expect((await warehouse.unreferenced(TABLE)).map(({ location }) => location)).toEqual([loose]);
    // It lies where the other one writes, too, but in the folder of this one.
    expect(await warehouse.unreferenced('shop.shared')).toEqual([]);
    await warehouse.sweep(TABLE, { minAgeMs: 0 });
    expect(await warehouse.count(`${TABLE}.inner`)).toBe(3);
    expect(await warehouse.count('shop.shared')).toBe(4);
  });

  test('keeps what metadata names through a link between folders', async () => {
    const { warehouse } = lake;
    const data = join(lake.folder, 'data');
    // A folder that was moved, with a link in its place, and one that two tables share.
    await rename(data, join(lake.folder, 'data-old'));
    await symlink('data-old', data);
    await warehouse.create('shop.shared', { columns: PEOPLE });
    await mkdir(join(lake.path, 'shop/shared'), { recursive: true });
    await symlink(join(lake.folder, 'data-old'), join(lake.path, 'shop/shared/data'));
    await warehouse.append('shop.shared', people(peopleFrom(1n, 4)));
    const loose = await stray('data/loose.parquet', 0);
    const real = loose.replace('/data/', '/data-old/');
    expect((await warehouse.unreferenced(TABLE)).map(({ location }) => location)).toEqual([real]);
    expect((await warehouse.sweep(TABLE, { minAgeMs: 0 })).deleted).toEqual([real]);
    // What expiry removes is called by the names of metadata, and is compared alike.
    await warehouse.overwrite(TABLE, people(peopleFrom(1n, 3)));
    await warehouse.expire(TABLE, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' });
    expect(await warehouse.count(TABLE)).toBe(3);
    expect(await warehouse.count('shop.shared')).toBe(4);
    await warehouse.drop(TABLE, { purge: true });
    expect(await warehouse.count('shop.shared')).toBe(4);
    expect((await filesUnder(join(lake.folder, 'data-old'))).length).toBe(1);
  });

  test('stays inside the location: where properties let the table write, others may, too (hazard 21)', async () => {
    const { warehouse } = lake;
    await warehouse.setProperties(TABLE, { 'write.data.path': join(lake.path, 'elsewhere') }, {});
    await warehouse.append(TABLE, people(peopleFrom(201n, 2)));
    const loose = await stray('../../elsewhere/loose.parquet', 73 * HOUR);
    expect(await warehouse.unreferenced(TABLE)).toEqual([]);
    expect((await warehouse.sweep(TABLE, { minAgeMs: 0 })).deleted).toEqual([]);
    expect(await readFile(loose, 'utf8')).toBe('stray');
    // Purging takes what the table names, wherever it is, and again nothing else.
    await warehouse.drop(TABLE, { purge: true });
    expect(await filesUnder(join(lake.path, 'elsewhere'))).toEqual(['/loose.parquet']);
  });

  test('goes on beside a damaged table, and keeps its files', async () => {
    const { warehouse } = lake;
    const broken = join(lake.folder, 'inner/metadata/v1.metadata.json');
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
    const versions = (await readdir(join(lake.folder, 'metadata')))
      .filter((name) => name.endsWith('.json'))
      .sort();
    expect(versions).toEqual(['v3.metadata.json', 'v4.metadata.json', 'v5.metadata.json']);
  });

  test('refuses where a missing version hides the newest, and takes none of its files', async () => {
    const { warehouse } = lake;
    const metadata = join(lake.folder, 'metadata');
    await writeFile(join(metadata, 'version-hint.text'), '1');
    await rm(join(metadata, 'v2.metadata.json'));
    const before = await filesUnder(lake.folder);
    const refused = { kind: 'refused', code: 'iceberg/newer-metadata' };
    const expire = { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' } as const;
    await expect(warehouse.sweep(TABLE, { minAgeMs: 0 })).rejects.toMatchObject(refused);
    await expect(warehouse.expire(TABLE, expire)).rejects.toMatchObject(refused);
    await expect(warehouse.append(TABLE, people(peopleFrom(201n, 2)))).rejects.toMatchObject(refused);
    const [refusal] = (await warehouse.describe(TABLE)).refusals;
    expect(refusal).toMatchObject({ code: 'newer-metadata' });
    expect(refusal?.reason).toContain(join(metadata, 'v3.metadata.json'));
    expect(await filesUnder(lake.folder)).toEqual(before);
    // As the refusal says.
    await writeFile(join(metadata, 'version-hint.text'), '3');
    await warehouse.sweep(TABLE, { minAgeMs: 0 });
    expect(await warehouse.count(TABLE)).toBe(20);
  });
});
