import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { FailedError } from '../errors.ts';
import { isAlive, startOf } from './processes.ts';

/** A folder (mode 0700) for what can hold values of people and is only needed for a while. */
export interface PrivateFolder {
  readonly path: string;
  /** Removes the folder and all in it. */
  remove(): Promise<void>;
}

/** What {@link privateFolder} takes. */
export interface PrivateFolderOptions {
  /** Who it is for; a part of its name. */
  readonly kind: 'duckdb' | 's3';
  /** Where it is made; the system's temporary folder if left out. */
  readonly parent?: string | undefined;
  /** The code of the error where it cannot be made. */
  readonly code: string;
}

/**
 * Makes a private folder, and removes those that processes of this user on this machine left when they crashed, of every kind. The
 * name says whose a folder is; one whose process lives, or that belongs to another user or machine, is left alone.
 *
 * @throws FailedError of the given code where the folder cannot be made, or an abandoned one not removed
 */
export async function privateFolder({
  kind,
  parent = tmpdir(),
  code,
}: PrivateFolderOptions): Promise<PrivateFolder> {
  try {
    await removeAbandoned(parent);
    const owner = [process.pid, startOf(process.pid)].filter((part) => part !== null).join('-');
    const path = await mkdtemp(join(parent, `lethe-${kind}-${host()}-${owner}-`));
    return { path, remove: () => rm(path, { recursive: true, force: true }) };
  } catch (cause) {
    throw new FailedError(code, `No private folder can be made in ${parent}`, {
      remedy: `Give a folder that can be written, and remove folders named lethe-${kind}-… that no process uses`,
      data: { folder: parent },
      cause,
    });
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  const name = new RegExp(`^lethe-(?:duckdb|s3)-${host().replaceAll('.', '\\.')}-(\\d+)-(?:(\\d+)-)?[^-]+$`);
  for (const entry of await readdir(parent)) {
    const [, pid, start] = name.exec(entry) ?? [];
    if (pid === undefined || isAlive(Number(pid), start)) continue;
    const path = join(parent, entry);
    const found = await lstat(path).catch(() => null);
    if (found?.isDirectory() !== true || found.uid !== userInfo().uid) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function host(): string {
  return hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');
}
