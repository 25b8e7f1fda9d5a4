import { FailedError } from '../../errors.ts';

/**
 * Runs `work` on a file, and throws what the file system says as `disk/failed`: a full disk and a missing right are no surprises, and
 * whoever meets them is to read what to do.
 */
export async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    throw unusable(path, code);
  }
}

/** The error for a file that cannot be used; `why` is the system's code where it has one. */
export function unusable(path: string, why: string): FailedError {
  return new FailedError('disk/failed', `${path} could not be used (${why})`, {
    remedy:
      'Check the rights and the space on that disk, then run again: nothing that counts is half written',
    data: { path, error: why },
  });
}

/** The code of an error of the system (`ENOSPC`); null for any other. */
function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
