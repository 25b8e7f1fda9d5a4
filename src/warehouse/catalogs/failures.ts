import { FailedError, RefusedError } from '../../errors.ts';
import type { CatalogEntry } from '../catalog.ts';
import type { TableRefusal } from '../warehouse.ts';

/** The error for a change of a table that may not be changed. */
export function refused(table: string, { code, reason, remedy }: TableRefusal): RefusedError {
  return new RefusedError(`iceberg/${code}`, `${table}: ${reason}`, { remedy, data: { table } });
}

/** The error for two tables of one name. */
export function ambiguous(one: CatalogEntry, other: CatalogEntry): FailedError {
  const places = [one.location ?? 'one', other.location ?? 'another'];
  return new FailedError('catalog/ambiguous', `${places.join(' and ')} are both ${one.table}`, {
    remedy: 'Rename one of them',
    data: { table: one.table, locations: places },
  });
}

/** Sorts entries by name, then by place. */
export function byName(a: CatalogEntry, b: CatalogEntry): number {
  if (a.table !== b.table) return a.table < b.table ? -1 : 1;
  return (a.location ?? '') < (b.location ?? '') ? -1 : 1;
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
