import {
  closeSync,
  constants,
  copyFile as copyFileWith,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { FailedError } from '../errors.ts';
import { failed } from './local-failures.ts';
import { errorCode, isMissing } from './local-path.ts';
import { syncFile, syncFolder, syncOpen } from './local-sync.ts';
import type { OnDisk } from './storage.ts';
import { ended, temporaryBeside } from './temporary-name.ts';

const copyInPool = promisify(copyFileWith);

/** What is written, and what of it is to be on disk then. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly onDisk: OnDisk | undefined;
}

/** Makes a file of a name that must be free. */
export function writeNew(path: string, content: Content): Promise<void> {
  return viaTemporary(path, content, (temporary) => linkNew(temporary, path));
}

/** Makes a file, or takes the place of the one that is there. */
export function replaceFile(path: string, content: Content): Promise<void> {
  return viaTemporary(path, content, (temporary) => renameSync(temporary, path));
}

/** Removes a file. Returns false where there was none. */
export function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (cause) {
    if (isMissing(cause)) return false;
    throw failed('remove', path, errorCode(cause));
  }
}

/** Moves a finished file to a name that must be free. */
export async function publishFile(localFile: string, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await syncFile(localFile);
  try {
    linkNew(localFile, path);
  } catch (cause) {
    if (!(cause instanceof FailedError) || cause.data.error !== 'EXDEV') throw cause;
    // Another file system: copied beside its place first, so that the name still appears with the whole file.
    const temporary = await unusedName(path, (name) => copyWhole(localFile, name));
    try {
      await syncFile(temporary);
      linkNew(temporary, path);
    } finally {
      unlinkSync(temporary);
      ended(temporary);
    }
  }
  unlinkSync(localFile);
  await syncFolder(dirname(path));
}

async function viaTemporary(
  path: string,
  { bytes, onDisk = 'all' }: Content,
  place: (temporary: string) => void,
): Promise<void> {
  makeFolderOf(path);
  const temporary = await unusedName(path, (name) => writeWhole(name, bytes, onDisk !== 'nothing'));
  try {
    place(temporary);
  } finally {
    removeFile(temporary);
    ended(temporary);
  }
  if (onDisk === 'all') await syncFolder(dirname(path));
}

function makeFolderOf(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (cause) {
    throw failed('write', path, errorCode(cause));
  }
}

/** Writes a new file. On a full disk what there is of it goes again: it can hold values, and nobody would know of it. */
async function writeWhole(name: string, bytes: Uint8Array, synced: boolean): Promise<void> {
  const file = openSync(name, 'wx');
  try {
    writeFileSync(file, bytes);
    if (synced) await syncOpen(file);
  } catch (cause) {
    unlinkSync(name);
    throw cause;
  } finally {
    closeSync(file);
  }
}

/** The same for a copy. */
async function copyWhole(from: string, name: string): Promise<void> {
  try {
    await copyInPool(from, name, constants.COPYFILE_EXCL);
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') removeFile(name);
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
      if (errorCode(cause) !== 'EEXIST') throw failed('write', path, errorCode(cause));
    }
  }
}

/** Gives a file a second name, which must be free: unlike a rename, it never takes another writer's place. */
function linkNew(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw failed('write', to, errorCode(cause));
    throw new FailedError('storage/exists', `${to} exists already`, {
      remedy: 'Choose another name, or read what is there',
      data: { location: to },
    });
  }
}
