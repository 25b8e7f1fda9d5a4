import { LetheError } from '../errors.ts';

/** What `ask` gives about a file; null where the file is not there. */
export async function ifThere<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof LetheError && cause.code === 'storage/not-found') return null;
    throw cause;
  }
}
