import type { Storage } from '../storage/storage.ts';
import type { Instant } from '../values/time.ts';
import type { Catalog } from './catalog.ts';
import { unclaimed } from './claims.ts';
import { fileNames, notNamed, realFolders } from './linked-names.ts';
import type { TableFormat, TableState } from './table-format.ts';
import type { FileEntry, SweepOptions, Swept } from './warehouse.ts';

/** What {@link unreferencedFiles} needs. */
export interface SweepSearch {
  readonly catalog: Catalog;
  readonly format: TableFormat;
  readonly storage: Storage;
}

/**
 * Files under the location that a state of a table has, which its newest state does not name, no table nested in it, and no other
 * table of the catalog; hidden names and every kind of file included.
 */
export async function unreferencedFiles(
  { loaded: { table, metadata } }: TableState,
  search: SweepSearch,
): Promise<readonly FileEntry[]> {
  const { catalog, format, storage } = search;
  const there = new Map<string, FileEntry>();
  for await (const file of storage.list(metadata.location)) there.set(storage.normalize(file.location), file);
  // The newest state is read after the listing: a file that a commit named in between is not taken for a stray one.
  const referenced = await format.open(await catalog.load(table)).referenced();
  const strays = await notNamed(there.keys(), fileNames(referenced), realFolders(storage));
  const left = await unclaimed(strays, { ...search, table });
  return [...left].sort().map((file) => there.get(file)!);
}

/** Which files are swept, and what the time is. */
export interface Sweeping extends SweepOptions {
  readonly now: Instant;
}

/**
 * Removes unreferenced files of at least an age. A younger one may belong to a commit that is being made (hazard 21), so it is
 * only named, with the instant from which it can go. An age of 0 takes every file, whatever its time says, but those of a commit that a
 * process of this machine is known to be making. What was named once belongs to none of these, and goes at any age.
 */
export async function sweepTable(
  state: TableState,
  search: SweepSearch,
  { minAgeMs, named = new Set(), now }: Sweeping,
): Promise<Swept> {
  const { format, storage } = search;
  const inProgress = await format.inProgress(state);
  const deleted: string[] = [];
  const young: { readonly location: string; readonly sweepableFrom: Instant }[] = [];
  for (const { location, modified } of await unreferencedFiles(state, search)) {
    const sweepableFrom = modified + minAgeMs;
    if (named.has(storage.normalize(location))) {
      if (await storage.remove(location)) deleted.push(location);
    } else if (inProgress(location)) young.push({ location, sweepableFrom: Math.max(now, sweepableFrom) });
    else if (minAgeMs > 0 && sweepableFrom > now) young.push({ location, sweepableFrom });
    else if (await storage.remove(location)) deleted.push(location);
  }
  // A folder of a partition outlives its last file, and says the value in its name.
  await storage.removeEmptyPartitions?.(state.loaded.metadata.location);
  return { deleted, young };
}
