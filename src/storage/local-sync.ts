import { closeSync, fsync, openSync, realpathSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from './local-path.ts';

/** Waits until what was written to an open file is on disk. Node's pool of threads waits, so that this one goes on meanwhile. */
export const syncOpen = promisify(fsync);

/** The same for a file by its path. */
export async function syncFile(path: string): Promise<void> {
  const file = openSync(path, 'r');
  try {
    await syncOpen(file);
  } finally {
    closeSync(file);
  }
}

/** A name is on disk once its folder is; file systems that cannot sync a folder say so, and lose nothing else by it. */
export async function syncFolder(folder: string): Promise<void> {
  await syncFile(realpathSync.native(folder)).catch((cause: unknown) => {
    const code = errorCode(cause);
    if (code !== 'EINVAL' && code !== 'EPERM' && code !== 'EISDIR') throw cause;
  });
}
