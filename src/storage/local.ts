import {
  constants,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FailedError } from '../errors.ts';
import { namesOnly, removeEmptyPartitions } from './local-names.ts';
import { errorCode, Fence, isMissing, localPath } from './local-path.ts';
import type { ByteRange, FileStat, Storage } from './storage.ts';
import { ended, temporaryBeside } from './temporary-name.ts';

/** Where {@link localStorage} may go. */
export interface LocalStorageOptions {
  /** Folders that no access may leave, by `..` or by links; everywhere if left out. */
  readonly roots?: readonly string[];
}

/**
 * Files on this machine, behind the {@link Storage} port. Locations are absolute paths or `file:` URIs. A file appears whole or
 * not at all: it is written beside its place, synced to disk, and linked to its name, which fails where the name is taken.
 *
 * @throws RefusedError `storage/outside`, `storage/scheme`; FailedError `storage/not-found`, `storage/exists`,
 * `storage/short-read`, from every method, as its own contract says
 */
export function localStorage(options: LocalStorageOptions = {}): Storage {
  const fence = new Fence((options.roots ?? []).map(localPath));
  const at = async (location: string): Promise<string> => {
    const path = localPath(location);
    await fence.check(path);
    return path;
  };
  return {
    normalize: localPath,
    stat: async (location) => {
      const path = localPath(location);
      fence.checkName(path);
      // Most names that are asked for are not there, such as those of a table's next version: that takes one question.
      const found = await statFile(path);
      await fence.check(path);
      return found;
    },
    read: async (location, range) => readFrom(await at(location), range),
    writeIfAbsent: async (location, bytes) => {
      const path = await at(location);
      await viaTemporary(path, bytes, (temporary) => linkNew(temporary, path));
    },
    replace: async (location, bytes) => {
      const path = await at(location);
      await viaTemporary(path, bytes, (temporary) => rename(temporary, path));
    },
    list: async function* (prefix) {
      yield* walk(await at(prefix), fence);
    },
    namesOnly: async function* (prefix) {
      yield* namesOnly(await at(prefix));
    },
    removeEmptyPartitions: async (prefix) => removeEmptyPartitions(await at(prefix)),
    remove: async (location) => removeFile(await at(location)),
    withLocalFile: async (location, use) => {
      const path = await at(location);
      await statFile(path);
      return use(path);
    },
    publish: async (localFile, location) => publishFile(localFile, await at(location)),
    copies: () => false,
    versions: () => null,
  };
}

async function statFile(path: string): Promise<FileStat> {
  const found = await known(path, () => stat(path));
  if (!found.isFile()) throw notFound(path);
  return { location: path, size: found.size, modified: Math.floor(found.mtimeMs) };
}

async function readFrom(path: string, range: ByteRange | undefined): Promise<Uint8Array> {
  if (range === undefined) return known(path, () => readFile(path));
  const file = await known(path, () => open(path, 'r'));
  try {
    const { size } = await file.stat();
    if (range.offset < 0 || range.length < 0 || range.offset + range.length > size) {
      throw new FailedError('storage/short-read', `${path} ends before the bytes that were asked for`, {
        remedy: 'The file is cut short, or what names it is wrong; restore it from a copy',
        data: { location: path, size, ...range },
      });
    }
    const bytes = new Uint8Array(range.length);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, range.offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

/** Files in the order of their whole names. A link to a folder is not followed, so no folder is met twice. */
async function* walk(folder: string, fence: Fence): AsyncGenerator<FileStat> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    if (isMissing(cause)) return [];
    throw cause;
  });
  const named = entries.map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }));
  named.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { entry } of named) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield* walk(path, fence);
    } else {
      if (entry.isSymbolicLink()) await fence.check(path);
      const found = await stat(path).catch((cause: unknown) => {
        if (isMissing(cause)) return undefined;
        throw cause;
      });
      if (found?.isFile()) yield { location: path, size: found.size, modified: Math.floor(found.mtimeMs) };
    }
  }
}

async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (cause) {
    if (isMissing(cause)) return false;
    throw failed('remove', path, cause);
  }
}

async function publishFile(localFile: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await sync(localFile);
  try {
    await linkNew(localFile, path);
  } catch (cause) {
    if (!(cause instanceof FailedError) || cause.data.error !== 'EXDEV') throw cause;
    // Another file system: copied beside its place first, so that the name still appears with the whole file.
    const temporary = await unusedName(path, (name) => copyWhole(localFile, name));
    try {
      await sync(temporary);
      await linkNew(temporary, path);
    } finally {
      await unlink(temporary);
      ended(temporary);
    }
  }
  await unlink(localFile);
  await syncFolder(dirname(path));
}

async function viaTemporary(
  path: string,
  bytes: Uint8Array,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true }).catch((cause: unknown) => {
    throw failed('write', path, cause);
  });
  const temporary = await unusedName(path, (name) => writeWhole(name, bytes));
  try {
    await place(temporary);
  } finally {
    await removeFile(temporary);
    ended(temporary);
  }
  await syncFolder(dirname(path));
}

/** Writes a new file. On a full disk what there is of it goes again: it can hold values, and nobody would know of it. */
async function writeWhole(name: string, bytes: Uint8Array): Promise<void> {
  const file = await open(name, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (cause) {
    await unlink(name);
    throw cause;
  } finally {
    await file.close();
  }
}

/** The same for a copy. */
async function copyWhole(from: string, name: string): Promise<void> {
  try {
    await copyFile(from, name, constants.COPYFILE_EXCL);
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') await unlink(name).catch(() => {});
    throw cause;
  }
}

/** A name beside `path` that no other process or thread uses; one left by a killed process is passed over. */
async function unusedName(path: string, create: (name: string) => Promise<void>): Promise<string> {
  for (;;) {
    const name = temporaryBeside(path);
    try {
      await create(name);
      return name;
    } catch (cause) {
      ended(name);
      if (errorCode(cause) !== 'EEXIST') throw failed('write', path, cause);
    }
  }
}

/** Gives a file a second name, which must be free: unlike a rename, it never takes another writer's place. */
async function linkNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw failed('write', to, cause);
    throw new FailedError('storage/exists', `${to} exists already`, {
      remedy: 'Choose another name, or read what is there',
      data: { location: to },
    });
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A name is on disk once its folder is; file systems that cannot sync a folder say so, and lose nothing else by it. */
async function syncFolder(folder: string): Promise<void> {
  await sync(await realpath(folder)).catch((cause: unknown) => {
    const code = errorCode(cause);
    if (code !== 'EINVAL' && code !== 'EPERM' && code !== 'EISDIR') throw cause;
  });
}

async function known<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw isMissing(cause) || errorCode(cause) === 'EISDIR' ? notFound(path) : failed('read', path, cause);
  }
}

function notFound(path: string): FailedError {
  return new FailedError('storage/not-found', `${path} is not there`, {
    remedy: 'Restore it from a copy, or use a state of the table that does not need it',
    data: { location: path },
  });
}

function failed(what: 'read' | 'write' | 'remove', path: string, cause: unknown): FailedError {
  return new FailedError(
    `storage/${what}-failed`,
    `${path} could not be ${PAST[what]} (${errorCode(cause)})`,
    {
      remedy: 'Check the rights and the space on that disk, then run again',
      // The cause quotes the path, in which a partition's value can stand; its code says all that is in it.
      data: { location: path, error: errorCode(cause) },
    },
  );
}

const PAST = { read: 'read', write: 'written', remove: 'removed' } as const;
