import { LetheError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { Catalog, CatalogEntry, LoadedTable } from './catalog.ts';
import { type FileNames, fileNames, notNamed, realFolders } from './linked-names.ts';
import { Recent } from './recent.ts';
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
 * named by the metadata of another table, wherever that one is and through links (hazard 21). Other tables are read only while files are left.
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
  const own = await ownLocation(entries, search);
  const real = realFolders(storage);
  const others = entries.filter((entry) => entry.table !== table);
  const outsideOf = (location: string): ReadonlySet<string> =>
    own === null || within(own, location)
      ? new Set([...left].filter((file) => !within(location, file)))
      : left;
  for (const { location } of others) if (location !== null) left = outsideOf(location);
  for (const other of others) {
    if (left.size === 0) return left;
    try {
      const loaded = await catalog.load(other.table);
      if (other.location === null) left = outsideOf(locationOf(loaded, storage));
      left = await notNamed(left, await claimsOf(format, loaded), real);
    } catch (cause) {
      // Dropped, or renamed since the listing: then it may claim files by its new name.
      if (isGone(cause)) return unclaimed(left, search);
      if (isElsewhere(cause)) continue;
      // A table that is damaged or of an unknown version keeps its files to itself, unless the two folders may overlap, or files of
      // this one lie elsewhere, where the other may share them.
      const apart =
        own !== null &&
        other.location !== null &&
        !within(other.location, own) &&
        [...left].every((file) => within(own, file));
      if (!(cause instanceof LetheError) || !apart) throw cause;
    }
  }
  return left;
}

/** Claims of the states of tables, which never change: a job asks for those of all tables for each table. */
const known = new WeakMap<TableFormat, Recent<FileNames>>();

/** Names that are kept at most. */
const MOST_NAMES = 200_000;

async function claimsOf(format: TableFormat, loaded: LoadedTable): Promise<FileNames> {
  const claims = known.get(format) ?? new Recent<FileNames>(MOST_NAMES);
  known.set(format, claims);
  const state = stateOf(loaded);
  const claimed = claims.get(state) ?? fileNames(await format.open(loaded).referenced());
  claims.keep(state, claimed, claimed.files.size);
  return claimed;
}

/** A directory's files are called v1, v2, …: a table that was dropped and made again there has the same names. */
function stateOf({ metadataFile, metadata }: LoadedTable): string {
  return `${metadata.uuid} ${metadata.lastUpdated} ${metadataFile}`;
}

/** Null where the table is gone already. */
async function ownLocation(
  entries: readonly CatalogEntry[],
  { catalog, storage, table }: ClaimSearch,
): Promise<string | null> {
  const entry = entries.find((one) => one.table === table);
  if (entry === undefined) return null;
  return entry.location ?? locationOf(await catalog.load(table), storage);
}

function locationOf({ metadata }: LoadedTable, storage: Storage): string {
  return storage.normalize(metadata.location);
}

function isGone(cause: unknown): boolean {
  return cause instanceof LetheError && cause.code === 'warehouse/no-such-table';
}

/** A table in a kind of storage that is not opened here has its files there. */
function isElsewhere(cause: unknown): boolean {
  return cause instanceof LetheError && cause.code === 'storage/scheme';
}
