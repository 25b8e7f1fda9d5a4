import { nearest } from '../../values/nearest.ts';

/**
 * The tables that a dataset most likely means, at most three: those whose last part is the name's or near it, the ones that share
 * more of their other parts with it first.
 */
export function nearestTables(name: string, tables: readonly string[]): readonly string[] {
  const parts = partsOf(name);
  const last = parts.at(-1) ?? name;
  const found = nearest(last, new Set(tables.map((table) => partsOf(table).at(-1)!)));
  if (found === null) return [];
  const shared = (table: string): number => partsOf(table).filter((part) => parts.includes(part)).length;
  return tables
    .filter((table) => partsOf(table).at(-1)!.toLowerCase() === found.toLowerCase())
    .sort((a, b) => shared(b) - shared(a) || (a < b ? -1 : 1))
    .slice(0, 3);
}

function partsOf(name: string): readonly string[] {
  return name.split(/[./]/).filter((part) => part !== '' && part !== 'db');
}
