import { unclaimed } from './claims.ts';
import type { CommitParts } from './commit-loop.ts';
import { fileNames, notNamed, realFolders } from './linked-names.ts';
import type { TableState } from './table-format.ts';

/** Removes files that a commit left without a name: none that a later state or another table names. Returns those that were there. */
export async function removeLoose(
  parts: CommitParts,
  after: TableState,
  files: readonly string[],
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const { catalog, format, storage } = parts;
  const { table } = after.loaded;
  const newest = format.open(await catalog.load(table), after);
  const named = fileNames(await newest.referenced());
  const normal = files.map((file) => storage.normalize(file));
  const loose = await notNamed(normal, named, realFolders(storage));
  const own = await unclaimed(loose, { ...parts, table });
  const removed: string[] = [];
  for (const file of [...own].sort()) if (await storage.remove(file)) removed.push(file);
  return removed;
}
