import { nearest } from '../../values/nearest.ts';

/** The tables that a dataset most likely means, by the last part of its name: at most three. */
export function nearestTables(name: string, tables: readonly string[]): readonly string[] {
  const found = nearest(lastPart(name), new Set(tables.map(lastPart)));
  return found === null
    ? []
    : tables
        .filter((table) => lastPart(table) === found)
        .sort()
        .slice(0, 3);
}

function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
}
