import { type ErrorKind, LetheError } from '../errors.ts';

/** What the command's exit code says. */
export const EXIT = {
  /** Done, or clean. */
  done: 0,
  /** A person found, an erased row back, a failed case, something to review. */
  finding: 1,
  /** Wrong usage, or governance files with faults; nothing was started. */
  usage: 2,
  /** Refused: nothing was changed. */
  refused: 3,
  /** Failed part-way: what was done is said, and running the same command again goes on from there. */
  failed: 4,
} as const;

export type Exit = (typeof EXIT)[keyof typeof EXIT];

const BY_KIND: Readonly<Record<ErrorKind, Exit>> = {
  input: EXIT.usage,
  refused: EXIT.refused,
  failed: EXIT.failed,
};

/** The exit code of an error: by its kind if Lethe threw it on purpose, else `failed`. */
export function exitOf(error: unknown): Exit {
  return error instanceof LetheError ? BY_KIND[error.kind] : EXIT.failed;
}
