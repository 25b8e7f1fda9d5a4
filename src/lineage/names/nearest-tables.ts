import { nearest } from '../../values/nearest.ts';

/** From so many names on that are no table's, only tables of the very name are offered: every name is compared with every other. */
const MOST = 1000;

/**
 * The tables that datasets most likely mean, at most three for each: those whose last part is the name's or near it, the ones that
 * share more of their other parts with it first.
 */
export class NearestTables {
  readonly #tables: readonly string[];
  /** By the last part of their names in small letters; made when first needed, which it is not where all datasets are mapped. */
  #byLast: ReadonlyMap<string, readonly string[]> | null = null;
  readonly #near = new Map<string, string | null>();

  constructor(tables: readonly string[]) {
    this.#tables = tables;
  }

  of(name: string): readonly string[] {
    const parts = partsOf(name);
    this.#byLast ??= byLastPart(this.#tables);
    const found = this.#lastNear(lastOf(parts, name), this.#byLast);
    if (found === null) return [];
    const shared = (table: string): number => partsOf(table).filter((part) => parts.includes(part)).length;
    return [...this.#byLast.get(found)!]
      .sort((a, b) => shared(b) - shared(a) || (a < b ? -1 : 1))
      .slice(0, 3);
  }

  #lastNear(last: string, byLast: ReadonlyMap<string, unknown>): string | null {
    if (byLast.has(last)) return last;
    const known = this.#near.get(last);
    if (known !== undefined) return known;
    if (this.#near.size >= MOST) return null;
    const found = nearest(last, byLast.keys());
    this.#near.set(last, found);
    return found;
  }
}

function byLastPart(tables: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const table of tables) {
    const last = lastOf(partsOf(table), table);
    const known = found.get(last);
    if (known === undefined) found.set(last, [table]);
    else known.push(table);
  }
  return found;
}

/** The tables that one name most likely means; for many names, {@link NearestTables} looks at the tables once. */
export function nearestTables(name: string, tables: readonly string[]): readonly string[] {
  return new NearestTables(tables).of(name);
}

function partsOf(name: string): readonly string[] {
  return name.split(/[./]/).filter((part) => part !== '' && part !== 'db');
}

function lastOf(parts: readonly string[], name: string): string {
  return (parts.at(-1) ?? name).toLowerCase();
}
