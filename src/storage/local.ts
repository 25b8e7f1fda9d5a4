import { type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { failed, notFound } from './local-failures.ts';
import { entriesOf, foundIn, namesOnly, removeEmptyPartitions } from './local-names.ts';
import { errorCode, Fence, isMissing, localPath, realPath } from './local-path.ts';
import { readFrom } from './local-read.ts';
import { publishFile, removeFile, replaceFile, writeNew } from './local-write.ts';
import type { FileStat, Storage } from './storage.ts';

/** Where {@link localStorage} may go. */
export interface LocalStorageOptions {
  /** Folders that no access may leave, by `..` or by links; everywhere if left out. */
  readonly roots?: readonly string[];
}

/**
 * Files on this machine, behind the {@link Storage} port. Locations are absolute paths or `file:` URIs. A file appears whole or
 * not at all: it is written beside its place, synced to disk, and linked to its name, which fails where the name is taken.
 *
 * What the system answers from memory is asked at once: to hand a question to Node's pool of threads takes ten times what its answer
 * does. Only what waits for the disk goes there: large reads, copies, and the syncing of what was written.
 *
 * @throws RefusedError `storage/outside`, `storage/scheme`; FailedError `storage/not-found`, `storage/exists`,
 * `storage/short-read`, from every method, as its own contract says
 */
export function localStorage(options: LocalStorageOptions = {}): Storage {
  const fence = new Fence((options.roots ?? []).map(localPath));
  const at = (location: string): string => {
    const path = localPath(location);
    fence.check(path);
    return path;
  };
  const find = (location: string): FileStat | null => {
    const path = localPath(location);
    fence.checkName(path);
    const found = fileAt(path);
    // What a name that is not there would lead to, nobody needs to know.
    if (found !== null) fence.check(path);
    return found;
  };
  return {
    normalize: localPath,
    stat: async (location) => {
      const found = find(location);
      if (found === null) throw notFound(localPath(location));
      return found;
    },
    statIfThere: async (location) => find(location),
    read: async (location, range) => readFrom(at(location), range),
    writeIfAbsent: async (location, bytes, onDisk) => writeNew(at(location), { bytes, onDisk }),
    replace: async (location, bytes, onDisk) => replaceFile(at(location), { bytes, onDisk }),
    list: async function* (prefix) {
      yield* walk(at(prefix), fence);
    },
    foldersWith: async function* (prefix, test) {
      yield* foldersWith(at(prefix), { test, fence });
    },
    namesOnly: async function* (prefix) {
      yield* namesOnly(at(prefix));
    },
    realFolder: async (folder) => realFolder(localPath(folder)),
    removeEmptyPartitions: async (prefix) => removeEmptyPartitions(at(prefix)),
    remove: async (location) => removeFile(at(location)),
    withLocalFile: async (location, use) => {
      const path = at(location);
      if (fileAt(path) === null) throw notFound(path);
      return use(path);
    },
    publish: async (localFile, location) => publishFile(localFile, at(location)),
    copies: () => false,
    keepsVersions: false,
    versions: () => null,
  };
}

/** Null where no file is. A link is its file. */
function fileAt(path: string): FileStat | null {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw failed('read', path, errorCode(cause));
  }
  if (found?.isFile() !== true) return null;
  return { location: path, size: found.size, modified: Math.floor(found.mtimeMs) };
}

function realFolder(path: string): string {
  try {
    return realPath(path);
  } catch (cause) {
    throw failed('read', path, errorCode(cause));
  }
}

/** Files in the order of their whole names. A link to a folder is not followed, so no folder is met twice. */
function* walk(folder: string, fence: Fence): Generator<FileStat> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield* walk(path, fence);
    } else {
      if (entry.isSymbolicLink()) fence.check(path);
      const found = fileAt(path);
      if (found !== null) yield found;
    }
  }
}

interface FolderSearch {
  readonly test: (name: string) => boolean;
  readonly fence: Fence;
}

/** The same walk for folders, in which a file is only a name. */
function* foldersWith(folder: string, search: FolderSearch): Generator<string> {
  const { test, fence } = search;
  const entries = foundIn(folder);
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  for (const link of links) fence.check(link);
  const holds =
    entries.some((entry) => entry.isFile() && test(entry.name)) ||
    links.some((link) => test(basename(link)) && fileAt(link) !== null);
  if (holds) yield folder;
  for (const entry of entries) if (entry.isDirectory()) yield* foldersWith(join(folder, entry.name), search);
}
