import type { Candidates } from './usual.ts';

/** The table that a dataset is. */
export interface Picked {
  readonly table: string;
  /** The name that was looked for, where the table's differs from it in case (hazard 30). */
  readonly written?: string;
}

/** Tables by name; a difference in case alone is none where it is the only one (hazard 30). */
export class KnownTables {
  readonly #exact: ReadonlySet<string>;
  readonly #folded = new Map<string, string | null>();

  constructor(tables: readonly string[]) {
    this.#exact = new Set(tables);
    for (const table of tables) {
      const folded = table.toLowerCase();
      this.#folded.set(folded, this.#folded.has(folded) ? null : table);
    }
  }

  find(name: string): Picked | null {
    if (this.#exact.has(name)) return { table: name };
    const table = this.#folded.get(name.toLowerCase()) ?? null;
    return table === null ? null : { table, written: name };
  }
}

/** The first candidate that the warehouse has, else the likeliest; null where there is none to believe. */
export function pick({ likely, possible }: Candidates, known: KnownTables | undefined): Picked | null {
  for (const candidate of [...likely, ...possible]) {
    const found = known?.find(candidate) ?? null;
    if (found !== null) return found;
  }
  return likely.length === 0 ? null : { table: likely[0]! };
}
