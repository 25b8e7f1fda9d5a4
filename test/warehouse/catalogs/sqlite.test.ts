import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Catalog } from '../../../src/warehouse/catalog.ts';
import { newTable } from '../../../src/warehouse/iceberg/metadata/create.ts';
import { type TableMetadata, writeMetadata } from '../../../src/warehouse/iceberg/metadata/metadata.ts';
import { catalogContract } from '../../contracts/catalog.ts';
import { seededRandom } from '../../support/lake.ts';
import { type SqliteFolder, sqliteFolder } from './sql-under-test.ts';

catalogContract('SQLite', async () => {
  const folder = await sqliteFolder();
  return { catalog: await folder.open(), another: () => folder.open(), close: folder.close };
});

const random = seededRandom(21);
const set = { requirements: [], updates: [{ action: 'set-properties' as const, updates: { a: 'b' } }] };

let folder: SqliteFolder;
beforeEach(async () => {
  folder = await sqliteFolder();
});
afterEach(() => folder.close());

const at = (location: string): TableMetadata =>
  newTable({ table: 't', definition: { columns: [{ name: 'id', type: 'long' }] }, location, now: 1, random });

async function make(catalog: Catalog, table: string): Promise<void> {
  await catalog.create(table, at((await catalog.defaultLocation(table)) ?? ''));
}

/** Changes the database as another program would. */
function run(sql: string, ...values: readonly string[]): void {
  const database = new Libsql(folder.file);
  database.prepare(sql).run([...values]);
  database.close();
}

describe('the layout', () => {
  test('is the one that PyIceberg, Spark and Trino share', async () => {
    const catalog = await folder.open({ name: 'jd' });
    await make(catalog, 'a.b.t');
    const { metadataFile } = await catalog.commit('a.b.t', set);
    const database = new Libsql(folder.file);
    const [row] = database.prepare('SELECT * FROM iceberg_tables').raw().all([]) as string[][];
    expect(row?.slice(0, 3)).toEqual(['jd', 'a.b', 't']);
    expect(row?.[3]).toBe(metadataFile);
    expect(row?.[3]).toMatch(/^file:\/\/\/.*\/wh\/a\/b\/t\/metadata\/00001-[0-9a-f-]{36}\.metadata\.json$/);
    expect(row?.[4]).toMatch(/\/metadata\/00000-[0-9a-f-]{36}\.metadata\.json$/);
    expect(row?.[5]).toBe('TABLE');
    const namespaces = database.prepare('SELECT * FROM iceberg_namespace_properties').raw().all([]);
    expect(namespaces).toEqual([['jd', 'a.b', 'exists', 'true']]);
    database.close();
  });

  test('of version 0, without types, is used as it is', async () => {
    run(`CREATE TABLE iceberg_tables (catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL,
      table_name VARCHAR(255) NOT NULL, metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000),
      PRIMARY KEY (catalog_name, table_namespace, table_name))`);
    run(`CREATE TABLE iceberg_namespace_properties (catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL,
      property_key VARCHAR(255), property_value VARCHAR(1000), PRIMARY KEY (catalog_name, namespace, property_key))`);
    const catalog = await folder.open({ create: false });
    await make(catalog, 'crm.t');
    await catalog.commit('crm.t', set);
    expect((await (await folder.open()).load('crm.t')).metadata.properties).toEqual({ a: 'b' });
  });

  test('keeps views beside tables, which are no tables', async () => {
    const catalog = await folder.open();
    await make(catalog, 'crm.t');
    run(
      `INSERT INTO iceberg_tables SELECT catalog_name, table_namespace, 'v', metadata_location, NULL, 'VIEW' FROM iceberg_tables`,
    );
    expect((await catalog.list()).map(({ table }) => table)).toEqual(['crm.t']);
    await expect(catalog.load('crm.v')).rejects.toMatchObject({ code: 'warehouse/no-such-table' });
  });

  test('may have a dot in a name, and two tables that are named alike are an error', async () => {
    const catalog = await folder.open();
    await make(catalog, 'a.b.t');
    run(`UPDATE iceberg_tables SET table_namespace = 'a', table_name = 'b.t'`);
    expect((await catalog.load('a.b.t')).table).toBe('a.b.t');
    run(
      `INSERT INTO iceberg_tables SELECT catalog_name, 'a.b', 't', metadata_location, NULL, 'TABLE' FROM iceberg_tables`,
    );
    await expect(catalog.list()).rejects.toMatchObject({ code: 'catalog/ambiguous' });
  });

  test('are all that a listing says: a pointer need not lie in the folder of its table', async () => {
    const catalog = await folder.open();
    await make(catalog, 'crm.t');
    const elsewhere = `${folder.path}/wh/crm/metadata/00003-x.metadata.json`;
    await mkdir(join(folder.path, 'wh/crm/metadata'), { recursive: true });
    await writeFile(elsewhere, writeMetadata(at(join(folder.path, 'wh/crm/t'))));
    run('UPDATE iceberg_tables SET metadata_location = ?', elsewhere);
    expect(await catalog.list()).toEqual([{ table: 'crm.t', location: null }]);
    expect((await catalog.load('crm.t')).metadata.location).toBe(join(folder.path, 'wh/crm/t'));
  });

  test('gives a namespace a place of its own', async () => {
    const catalog = await folder.open();
    await make(catalog, 'crm.t');
    run(
      `INSERT INTO iceberg_namespace_properties VALUES ('default', 'crm', 'location', ?)`,
      join(folder.path, 'wh/elsewhere'),
    );
    expect(await catalog.defaultLocation('crm.u')).toBe(join(folder.path, 'wh/elsewhere/u'));
  });
});

describe('what is not there', () => {
  test('is not made without being asked: a mistyped file would look like an empty lake', async () => {
    await expect(folder.open({ create: false })).rejects.toMatchObject({
      kind: 'input',
      code: 'catalog/no-database',
      data: { path: folder.file },
    });
    await writeFile(folder.file, '');
    await expect((await folder.open({ create: false })).list()).rejects.toMatchObject({
      kind: 'input',
      code: 'catalog/no-catalog',
    });
  });

  test('is a catalog of that name: the names that there are are told', async () => {
    await make(await folder.open({ name: 'rest_backend' }), 'crm.t');
    const wrong = await folder.open({ name: 'default' });
    const fault = { kind: 'input', code: 'catalog/no-name', data: { catalogs: ['rest_backend'] } };
    await expect(wrong.list()).rejects.toMatchObject(fault);
    await expect(wrong.load('crm.t')).rejects.toMatchObject(fault);
  });

  test('is a database: the file is something else, or damaged', async () => {
    await writeFile(folder.file, 'no database '.repeat(1000));
    await expect((await folder.open({ create: false })).list()).rejects.toMatchObject({
      code: 'catalog/damaged',
    });
  });

  test('is a place for new tables', async () => {
    const { warehouse: _, ...setting } = { warehouse: '', url: `sqlite:${folder.file}` };
    const catalog = await folder.open({ ...setting, warehouse: undefined as never });
    await expect(catalog.defaultLocation('crm.t')).rejects.toMatchObject({
      kind: 'input',
      code: 'catalog/no-warehouse',
    });
  });

  test('is the metadata file that the catalog names', async () => {
    const catalog = await folder.open();
    await make(catalog, 'crm.t');
    run(
      `UPDATE iceberg_tables SET metadata_location = ?`,
      `file://${folder.path}/wh/crm/t/metadata/gone.metadata.json`,
    );
    await expect(catalog.load('crm.t')).rejects.toMatchObject({ code: 'storage/not-found' });
    run(`UPDATE iceberg_tables SET metadata_location = NULL`);
    await expect(catalog.load('crm.t')).rejects.toMatchObject({ code: 'catalog/no-metadata' });
  });
});

describe('in the middle of a job', () => {
  test('a table is renamed: its new name is told', async () => {
    const catalog = await folder.open();
    await make(catalog, 'crm.t');
    await catalog.load('crm.t');
    run(`UPDATE iceberg_tables SET table_name = 'u'`);
    await expect(catalog.commit('crm.t', set)).rejects.toMatchObject({
      kind: 'failed',
      code: 'catalog/renamed',
      data: { table: 'crm.t', now: 'crm.u' },
    });
    expect((await catalog.load('crm.u')).metadata.properties).toEqual({});
  });

  test('a table is dropped', async () => {
    const catalog = await folder.open();
    await make(catalog, 'crm.t');
    await catalog.load('crm.t');
    run('DELETE FROM iceberg_tables');
    await expect(catalog.commit('crm.t', set)).rejects.toMatchObject({ code: 'warehouse/no-such-table' });
  });
});

describe('a table that is claimed twice', () => {
  const claimed = { kind: 'refused', code: 'iceberg/foreign-catalog' };

  test.each([
    ['by another catalog of the database', 'other', 'crm', 't'],
    ['by another name', 'default', 'crm', 'u'],
  ])('%s is read and not changed', async (_, name, namespace, table) => {
    await make(await folder.open(), 'crm.t');
    // The same place, spelled otherwise.
    run(
      `INSERT INTO iceberg_tables SELECT ?, ?, ?, replace(metadata_location, 'file://', 'file:'), NULL, 'TABLE' FROM iceberg_tables`,
      name,
      namespace,
      table,
    );
    const catalog = await folder.open();
    expect((await catalog.load('crm.t')).refusal).toMatchObject({ code: 'foreign-catalog' });
    await expect(catalog.commit('crm.t', set)).rejects.toMatchObject(claimed);
  });

  test('by a folder that a directory catalog reads is read and not changed', async () => {
    await make(await folder.open(), 'crm.t');
    const metadata = join(folder.path, 'wh/crm/t/metadata');
    await writeFile(join(metadata, 'version-hint.text'), '1');
    const hinted = await folder.open();
    expect((await hinted.load('crm.t')).refusal).toBeNull();
    await writeFile(join(metadata, 'v1.metadata.json'), writeMetadata(at(join(folder.path, 'wh/crm/t'))));
    const catalog = await folder.open();
    await expect(catalog.commit('crm.t', set)).rejects.toMatchObject(claimed);
  });
});

describe('a place outside those that are declared', () => {
  test('is refused by name, whether the table or its metadata is there', async () => {
    const catalog = await folder.open();
    await make(catalog, 'crm.t');
    const outside = { kind: 'refused', code: 'iceberg/location-outside' };
    await expect(catalog.create('crm.u', at(join(folder.path, 'whoever/u')))).rejects.toMatchObject(outside);
    const file = join(folder.path, 'wh/crm/t/metadata/00007-x.metadata.json');
    await writeFile(file, writeMetadata(at('/etc')));
    run('UPDATE iceberg_tables SET metadata_location = ?', file);
    await expect(catalog.load('crm.t')).rejects.toMatchObject({ ...outside, data: { location: '/etc' } });
    await mkdir(join(folder.path, 'other/metadata'), { recursive: true });
    const stray = join(folder.path, 'other/metadata/00001-x.metadata.json');
    await writeFile(stray, writeMetadata(at(join(folder.path, 'wh/crm/t'))));
    run('UPDATE iceberg_tables SET metadata_location = ?', stray);
    await expect(catalog.load('crm.t')).rejects.toMatchObject(outside);
    const wider = await folder.open({ locations: [join(folder.path, 'other')] });
    expect((await wider.load('crm.t')).table).toBe('crm.t');
  });

  test('is no more right where it holds all of one, unless the table itself is one', async () => {
    const catalog = await folder.open();
    await make(catalog, 'crm.t');
    const file = join(folder.path, 'wh/crm/t/metadata/00007-x.metadata.json');
    run('UPDATE iceberg_tables SET metadata_location = ?', file);
    for (const location of [join(folder.path, 'wh'), folder.path, '/', 'file:///']) {
      await writeFile(file, writeMetadata(at(location)));
      await expect(catalog.load('crm.t')).rejects.toMatchObject({
        kind: 'refused',
        code: 'iceberg/location-above',
        data: { table: 'crm.t', location },
      });
    }
    await writeFile(file, writeMetadata(at(join(folder.path, 'wh/crm/t'))));
    const itself = await folder.open({ locations: [join(folder.path, 'wh/crm/t')] });
    expect((await itself.load('crm.t')).table).toBe('crm.t');
  });
});
