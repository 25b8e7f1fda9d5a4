import { LetheError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { Catalog, CatalogEntry } from './catalog.ts';
import { within } from './within.ts';

/** The folders of other tables that lie inside some folders of a table. One that cannot be read is taken to lie elsewhere. */
export async function nestedTables(
  folders: readonly string[],
  {
    catalog,
    storage,
    table,
  }: { readonly catalog: Catalog; readonly storage: Storage; readonly table: string },
): Promise<readonly string[]> {
  const nested: string[] = [];
  for (const entry of await catalog.list()) {
    if (entry.table === table) continue;
    const location = await locationOf(entry, { catalog, storage });
    if (location !== null && folders.some((folder) => folder !== location && within(folder, location))) {
      nested.push(location);
    }
  }
  return nested;
}

async function locationOf(
  { table, location }: CatalogEntry,
  { catalog, storage }: { readonly catalog: Catalog; readonly storage: Storage },
): Promise<string | null> {
  try {
    return storage.normalize(location ?? (await catalog.load(table)).metadata.location);
  } catch (cause) {
    if (cause instanceof LetheError) return null;
    throw cause;
  }
}
