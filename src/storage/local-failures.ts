import { FailedError } from '../errors.ts';
import { errorCode, isMissing } from './local-path.ts';

/** What `work` gives; `otherwise` where it finds no such file or folder. */
export function ifPresent<T, U>(work: () => T, otherwise: U): T | U {
  try {
    return work();
  } catch (cause) {
    if (isMissing(cause)) return otherwise;
    throw cause;
  }
}

/** The error for a file that cannot be opened or asked for. */
export function unread(path: string, cause: unknown): FailedError {
  return isMissing(cause) || errorCode(cause) === 'EISDIR'
    ? notFound(path)
    : failed('read', path, errorCode(cause));
}

/** The error for a file that is not there. */
export function notFound(path: string): FailedError {
  return new FailedError('storage/not-found', `${path} is not there`, {
    remedy: 'Restore it from a copy, or use a state of the table that does not need it',
    data: { location: path },
  });
}

/**
 * The error for what the file system refused, by its code: a cause quotes the path, in which a partition's value can stand, and its
 * code says all that is in it.
 */
export function failed(what: keyof typeof PAST, path: string, code: string | undefined): FailedError {
  return new FailedError(`storage/${what}-failed`, `${path} could not be ${PAST[what]} (${code})`, {
    remedy: 'Check the rights and the space on that disk, then run again',
    data: { location: path, error: code },
  });
}

const PAST = { read: 'read', write: 'written', remove: 'removed' } as const;
