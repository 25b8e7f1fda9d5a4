import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { FailedError } from '../../../errors.ts';

const PREFIX = 'lethe-duckdb';

/** A private folder (mode 0700) for what DuckDB spills and for files that are not published yet. */
export interface TemporaryFolder {
  readonly path: string;
  /** Removes the folder and all in it. */
  remove(): Promise<void>;
}

/**
 * Makes a private folder under `parent` (the system's temporary folder if left out), and removes those that processes of
 * this user on this machine left when they crashed: they can hold values of people. The name says whose a folder is;
 * one whose process lives, or that belongs to another user or machine, is left alone.
 *
 * @throws FailedError `plane/temporary` where the folder cannot be made, or an abandoned one not removed
 */
export async function temporaryFolder(parent: string = tmpdir()): Promise<TemporaryFolder> {
  try {
    await removeAbandoned(parent);
    const path = await mkdtemp(join(parent, `${PREFIX}-${host()}-${process.pid}-`));
    return { path, remove: () => rm(path, { recursive: true, force: true }) };
  } catch (cause) {
    throw new FailedError('plane/temporary', `No private folder can be made in ${parent}`, {
      remedy: `Give a folder that can be written, and remove folders named ${PREFIX}-… that no process uses`,
      data: { folder: parent },
      cause,
    });
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  const name = new RegExp(`^${PREFIX}-${host()}-(\\d+)-`);
  for (const entry of await readdir(parent)) {
    const pid = name.exec(entry)?.[1];
    if (pid === undefined || lives(Number(pid))) continue;
    const path = join(parent, entry);
    const found = await lstat(path).catch(() => null);
    if (found?.isDirectory() !== true || found.uid !== userInfo().uid) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function host(): string {
  return hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');
}
