import { FailedError } from '../../errors.ts';
import type { CatalogEntry } from '../catalog.ts';

/** The tables that a catalog found, by name. Throws `catalog/ambiguous` where two have one name. */
export function entriesByName<T extends CatalogEntry>(found: Iterable<T>): readonly T[] {
  const entries = [...found].sort(byName);
  for (const [index, entry] of entries.entries()) {
    const other = entries[index + 1];
    if (other?.table === entry.table) throw ambiguous(entry, other);
  }
  return entries;
}

/** By name, then by place. */
function byName(a: CatalogEntry, b: CatalogEntry): number {
  if (a.table !== b.table) return a.table < b.table ? -1 : 1;
  return (a.location ?? '') < (b.location ?? '') ? -1 : 1;
}

function ambiguous(one: CatalogEntry, other: CatalogEntry): FailedError {
  const places = [one.location ?? 'one', other.location ?? 'another'];
  return new FailedError('catalog/ambiguous', `${places.join(' and ')} are both ${one.table}`, {
    remedy: 'Rename one of them',
    data: { table: one.table, locations: places },
  });
}
