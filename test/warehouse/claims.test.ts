import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Int64, Table, vectorFromArray } from 'apache-arrow';
import { expect, test } from 'vitest';
import { system } from '../../src/cli/system.ts';
import { type LetheError, RefusedError } from '../../src/errors.ts';
import { localStorage } from '../../src/storage/index.ts';
import type { Catalog } from '../../src/warehouse/catalog.ts';
import { unclaimed } from '../../src/warehouse/claims.ts';
import { noSuchTable } from '../../src/warehouse/errors.ts';
import { openIceberg, type Warehouse } from '../../src/warehouse/index.ts';
import type { TableFormat } from '../../src/warehouse/table-format.ts';

// A service tells where a table is only when it is loaded; claims hold all the same (hazard 21).

type Known = { readonly location: string; readonly names?: readonly string[] } | LetheError;

interface Given {
  /** Where the listing says that tables are. */
  readonly places?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
}

/** Files of `a` that nobody else claims, among tables that are known only once they are loaded. */
async function left(
  tables: Record<string, Known>,
  listings?: readonly (readonly string[])[],
  { places = {}, files = ['/wh/a/1', '/wh/a/2', '/wh/a/inner/3'] }: Given = {},
): Promise<string[]> {
  let listed = 0;
  const catalog = {
    list: async () => {
      const names = listings?.[Math.min(listed, listings.length - 1)] ?? Object.keys(tables);
      listed += 1;
      return names.map((table) => ({ table, location: places[table] ?? null }));
    },
    load: async (table: string) => {
      const known = tables[table] ?? noSuchTable(table, []);
      if (known instanceof Error) throw known;
      return { table, metadata: { location: known.location } };
    },
  } as unknown as Catalog;
  const format = {
    open: ({ table }: { table: string }) => ({
      referenced: async () => new Set((tables[table] as { names?: readonly string[] }).names ?? []),
    }),
  } as unknown as TableFormat;
  const search = { catalog, format, storage: localStorage(), table: 'a' };
  return [...(await unclaimed(new Set(files), search))];
}

const a = { location: '/wh/a' };

test('files in the folder of a table nested in this one are its own', async () => {
  expect(await left({ a, b: { location: '/wh/a/inner' } })).toEqual(['/wh/a/1', '/wh/a/2']);
  expect(await left({ a, b: { location: '/wh' } })).toHaveLength(3);
});

test('files that another table names are claimed, wherever it is', async () => {
  expect(await left({ a, b: { location: '/else', names: ['/wh/a/2'] } })).toEqual([
    '/wh/a/1',
    '/wh/a/inner/3',
  ]);
});

test('a table in a kind of storage that is not opened here claims nothing', async () => {
  expect(await left({ a, b: { location: 'gs://lake/b' } })).toHaveLength(3);
});

test('a table that was renamed since the listing claims by its new name', async () => {
  const listings = [
    ['a', 'b'],
    ['a', 'c'],
  ];
  const tables = { a, c: { location: '/else', names: ['/wh/a/1'] } };
  expect(await left(tables, listings)).toEqual(['/wh/a/2', '/wh/a/inner/3']);
});

test('a table that cannot be loaded may claim anything, so nothing goes', async () => {
  const damaged = new RefusedError('iceberg/format-version', 'version 9', { remedy: 'none' });
  await expect(left({ a, b: damaged })).rejects.toBe(damaged);
});

test('one that lies elsewhere claims nothing in this folder, and may claim what lies outside of it', async () => {
  const damaged = new RefusedError('iceberg/format-version', 'version 9', { remedy: 'none' });
  const places = { a: '/wh/a', b: '/wh/b' };
  expect(await left({ a, b: damaged }, undefined, { places })).toHaveLength(3);
  const shared = left({ a, b: damaged }, undefined, { places, files: ['/wh/a/1', '/shared/1'] });
  await expect(shared).rejects.toBe(damaged);
});

test('a table that was dropped and made again claims its new files, though its metadata is called as before', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lethe-claims-'));
  const open = () => openIceberg({ catalog: { kind: 'directory', path: dir }, ...system });
  const [sweeper, writer] = [await open(), await open()];
  try {
    const columns = [{ name: 'id', type: 'long' }];
    const row = new Table({ id: vectorFromArray([1n], new Int64()) });
    await sweeper.create('s.a', { columns });
    await sweeper.append('s.a', row);
    for (const load of ['first', 'second']) {
      await writer.create('s.b', { columns, properties: { 'write.data.path': join(dir, 's/a/data') } });
      await writer.append('s.b', row);
      await writeFile(join(dir, 's/a/data', load), '');
      expect((await sweeper.sweep('s.a', { minAgeMs: 0 })).deleted).toHaveLength(1);
      expect(await rowsIn(writer, 's.b'), load).toBe(1);
      await writer.drop('s.b', { purge: true });
    }
  } finally {
    await Promise.all([sweeper.close(), writer.close()]);
    await rm(dir, { recursive: true, force: true });
  }
});

async function rowsIn(warehouse: Warehouse, table: string): Promise<number> {
  let rows = 0;
  for await (const batch of warehouse.read(table)) rows += batch.numRows;
  return rows;
}
