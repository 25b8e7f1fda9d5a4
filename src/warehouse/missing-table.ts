import { type LetheError, RefusedError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import { noSuchTable } from './errors.ts';

/** Where a table of that name would be, and the names that there are. */
export interface Missing {
  readonly table: string;
  readonly location: string;
  readonly known: readonly string[];
}

/** Why there is no Iceberg table at a place: a Delta table is told from nothing at all, as its files hold people like any others. */
export async function missingTable(
  storage: Storage,
  { table, location, known }: Missing,
): Promise<LetheError> {
  for await (const _ of storage.list(`${location}/_delta_log`)) {
    return new RefusedError(
      'warehouse/delta',
      `${table} is a Delta table, and this warehouse is of Iceberg`,
      {
        remedy: 'Erase from it with its own engine; the scan looks into its files all the same',
        data: { table, location },
      },
    );
  }
  return noSuchTable(table, known);
}
