import { type Dirent, lstatSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ifPresent } from './local-failures.ts';
import { errorCode, isMissing } from './local-path.ts';
import type { NameOnly } from './storage.ts';

/** The names under a folder that a listing of files passes over. Links are not followed. */
export function* namesOnly(folder: string): Generator<NameOnly> {
  const entries = entriesOf(folder);
  const noText = namesOfNoText(folder, entries);
  for (const name of noText) yield { location: join(folder, name), kind: 'no-text' };
  for (const entry of entries) {
    const location = join(folder, entry.name);
    if (noText.has(entry.name) && !isThere(location)) continue;
    if (entry.isDirectory()) {
      if (entriesOf(location).length === 0) yield { location, kind: 'empty-folder' };
      else yield* namesOnly(location);
    } else if (entry.isSymbolicLink()) {
      if (!leadsToFile(location)) yield { location, kind: 'link' };
    } else if (!entry.isFile()) yield { location, kind: 'special' };
  }
}

/**
 * Removes empty folders named `column=value`, the deepest first. One into which another writer puts a file meanwhile is not empty,
 * and stays.
 */
export function removeEmptyPartitions(folder: string): readonly string[] {
  const removed: string[] = [];
  for (const entry of entriesOf(folder)) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    removed.push(...removeEmptyPartitions(path));
    if (entry.name.includes('=') && removeIfEmpty(path)) removed.push(path);
  }
  return removed;
}

function removeIfEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (cause) {
    if (isMissing(cause) || errorCode(cause) === 'ENOTEMPTY' || errorCode(cause) === 'EEXIST') return false;
    throw cause;
  }
}

/** What is in a folder, in the order of the whole names below it; nothing where there is no folder. */
export function entriesOf(folder: string): readonly Dirent[] {
  const named = foundIn(folder).map((entry) => ({
    entry,
    begin: entry.isDirectory() ? `${entry.name}/` : entry.name,
  }));
  return named.sort((a, b) => (a.begin < b.begin ? -1 : 1)).map(({ entry }) => entry);
}

/** The same in the order in which the system tells it. */
export function foundIn(folder: string): readonly Dirent[] {
  return ifPresent(() => readdirSync(folder, { withFileTypes: true }), []);
}

function leadsToFile(path: string): boolean {
  return ifPresent(() => statSync(path).isFile(), false);
}

/**
 * Names that are no UTF-8, as tools of other letters gave them: each is told with U+FFFD in place of what it holds, and what lies behind
 * it can be neither read nor removed by that. The bytes say which, as a name may hold U+FFFD itself.
 */
function namesOfNoText(folder: string, entries: readonly Dirent[]): ReadonlySet<string> {
  if (!entries.some(({ name }) => name.includes('\ufffd'))) return new Set();
  const names = ifPresent(() => readdirSync(folder, { encoding: 'buffer' }), []);
  return new Set(
    names.filter((name) => !Buffer.from(name.toString()).equals(name)).map((name) => name.toString()),
  );
}

function isThere(path: string): boolean {
  return ifPresent(() => lstatSync(path, { throwIfNoEntry: false }), undefined) !== undefined;
}
