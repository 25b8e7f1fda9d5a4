import { FailedError, RefusedError } from '../../errors.ts';
import type { TableRefusal } from '../warehouse.ts';

/** The error for a change of a table that may not be changed. */
export function refused(table: string, { code, reason, remedy }: TableRefusal): RefusedError {
  return new RefusedError(`iceberg/${code}`, `${table}: ${reason}`, { remedy, data: { table } });
}

/** The error where a catalog does not say whether it did what it was asked for. Nothing may be undone then. */
export function unknownOutcome(table: string, what: string, cause?: unknown): FailedError {
  return new FailedError('warehouse/unknown-outcome', `${table}: whether ${what} cannot be told`, {
    remedy:
      'Make the catalog reachable and run again: nothing was undone, and the files of this try are kept until then',
    data: { table },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The error where every commit is overtaken, or refused although its requirements hold: trying on would never end. */
export function neverAtRest(table: string, tries: number): FailedError {
  return new FailedError('catalog/never-at-rest', `${table}: no commit of ${tries} could be made`, {
    remedy:
      'Nothing was changed by this step. See what else commits to the table all the time, or why the catalog refuses, then run again',
    data: { table, tries },
  });
}

/** The error where something that is no file has the name of the next version: no try could ever win. */
export function nameTaken(table: string, file: string): FailedError {
  return new FailedError('catalog/name-taken', `${table}: ${file} is there, and is no file`, {
    remedy: 'Nothing was changed by this step. Move that folder, pipe or link out of the way, then run again',
    data: { table, file },
  });
}
