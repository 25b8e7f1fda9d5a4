import type { FileTable } from './id-search.ts';

/** A copy may have lost or gained columns, but keeps most. */
const SHARED_PART = 0.5;

/**
 * Recognises what a file that no table claims may be a copy of: tables of which it has at least half of the columns, by name.
 * Ids that are sought in one of those tables are then sought in it too.
 */
export function recogniseCopy(table: FileTable, columns: readonly string[]): FileTable {
  if (table.table !== null) return table;
  const there = new Set(columns.map((name) => name.toLowerCase()));
  const mayCopy = [...table.others].filter(([, names]) => {
    const shared = names.filter((name) => there.has(name.toLowerCase())).length;
    return shared > 0 && shared >= names.length * SHARED_PART;
  });
  return { ...table, mayCopy: mayCopy.map(([name]) => name) };
}
