import type { Dirent } from 'node:fs';
import { readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, isMissing } from './local-path.ts';
import type { NameOnly } from './storage.ts';

/** The names under a folder that a listing of files passes over. Links are not followed. */
export async function* namesOnly(folder: string): AsyncGenerator<NameOnly> {
  for (const entry of await entriesOf(folder)) {
    const location = join(folder, entry.name);
    if (entry.isDirectory()) {
      if ((await entriesOf(location)).length === 0) yield { location, kind: 'empty-folder' };
      else yield* namesOnly(location);
    } else if (entry.isSymbolicLink()) {
      if (!(await leadsToFile(location))) yield { location, kind: 'link' };
    } else if (!entry.isFile()) yield { location, kind: 'special' };
  }
}

/**
 * Removes empty folders named `column=value`, the deepest first. One into which another writer puts a file meanwhile is not empty,
 * and stays.
 */
export async function removeEmptyPartitions(folder: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const entry of await entriesOf(folder)) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    removed.push(...(await removeEmptyPartitions(path)));
    if (entry.name.includes('=') && (await removeIfEmpty(path))) removed.push(path);
  }
  return removed;
}

async function removeIfEmpty(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (cause) {
    if (isMissing(cause) || errorCode(cause) === 'ENOTEMPTY' || errorCode(cause) === 'EEXIST') return false;
    throw cause;
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    if (isMissing(cause)) return [];
    throw cause;
  });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function leadsToFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (cause) {
    if (isMissing(cause)) return false;
    throw cause;
  }
}
