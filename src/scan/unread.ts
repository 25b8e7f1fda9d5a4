import { LetheError } from '../errors.ts';

/**
 * A file, or a part of one, that its format's reader could not read: the scan notes it as not proven and goes on (rule S5).
 * The message says why and holds no content of the file.
 */
export class Unread extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'Unread';
  }
}

/** Why a reader failed, without anything that its error's message may quote from the file. */
export function whyUnread(error: unknown): string {
  if (error instanceof Unread) return error.message;
  // A typed error's code says which rule of the format is broken; its message may name the file, whose path is masked elsewhere.
  const name = error instanceof LetheError ? error.code : error instanceof Error ? error.name : 'error';
  return `its reader failed (${name}): the file is damaged, or not of the format that it claims`;
}
