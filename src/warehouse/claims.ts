import { LetheError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { Catalog } from './catalog.ts';
import type { TableFormat } from './table-format.ts';
import { within } from './within.ts';

/** What {@link unclaimed} needs to look at the other tables. */
export interface ClaimSearch {
  readonly catalog: Catalog;
  readonly format: TableFormat;
  readonly storage: Storage;
  readonly table: string;
}

/**
 * Those of `files` that no other table of the catalog claims: none lies in the folder of a table nested in this one, and none is
 * named by the metadata of another table, wherever that one is (hazard 21). Other tables are read only while files are left.
 *
 * @throws the error of a table that cannot be read, where it could claim one of the files
 */
export async function unclaimed(
  files: ReadonlySet<string>,
  search: ClaimSearch,
): Promise<ReadonlySet<string>> {
  const { catalog, format, storage, table } = search;
  let left = files;
  if (left.size === 0) return left;
  const entries = await catalog.list();
  const own = entries.find((entry) => entry.table === table)?.location;
  const others = entries.filter((entry) => entry.table !== table);
  for (const { location } of others) {
    const nested = own === undefined || within(own, location);
    if (nested) left = new Set([...left].filter((file) => !within(location, file)));
  }
  for (const other of others) {
    if (left.size === 0) return left;
    try {
      const claimed = await format.open(await catalog.load(other.table)).referenced();
      left = new Set([...left].filter((file) => !claimed.has(storage.normalize(file))));
    } catch (cause) {
      // A table that is damaged or of an unknown version keeps its files to itself, unless the two folders overlap.
      if (!(cause instanceof LetheError) || own === undefined || within(other.location, own)) throw cause;
    }
  }
  return left;
}
