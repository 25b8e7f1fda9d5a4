import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPyIceberg } from '../engines/pyiceberg.ts';
import type { Engine } from './engine.ts';
import { FEATURES } from './features.ts';
import type { Lake } from './lake.ts';

/** PyIceberg on a lake. */
export async function pyicebergOn(lake: Lake): Promise<Engine> {
  const pyiceberg = await openPyIceberg();
  const { name: catalog } = lake;
  if (lake.pyiceberg !== null) await pyiceberg.catalog(catalog, lake.pyiceberg);
  return {
    name: 'pyiceberg',
    write: (feature, table) => pyiceberg.write({ catalog, table, feature, rows: FEATURES[feature].written }),
    read: async (table, ref) =>
      lake.pyiceberg === null
        ? pyiceberg.read(null, await newestMetadata(lake.warehouse, table), ref)
        : pyiceberg.read(catalog, table, ref),
    append: (table, _, row) => pyiceberg.append({ catalog, table, rows: [row] }),
    maintain: (table) => pyiceberg.expire(catalog, table),
  };
}

/** The newest metadata file of a table in Spark's `hadoop` catalog. */
async function newestMetadata(warehouse: string, table: string): Promise<string> {
  const folder = join(fileURLToPath(warehouse), ...table.split('.'), 'metadata');
  const versions = (await readdir(folder)).flatMap(
    (name) => /^v(\d+)\.metadata\.json$/.exec(name)?.[1] ?? [],
  );
  return join(folder, `v${Math.max(...versions.map(Number))}.metadata.json`);
}
