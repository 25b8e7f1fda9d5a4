import type { KeyMatch } from '../keys/key-class.ts';
import type { FoundCause } from './cause.ts';

/** What lineage says about the person's rows in a table. */
export interface Verdict {
  /** Any of them matches (rule L5c). */
  readonly matches: readonly KeyMatch[];
  readonly causes: readonly FoundCause[];
}

/** The keys that find all of the person's rows in a table, any of them each; null where they do not. */
type Keys = readonly (readonly number[])[] | null;

/**
 * The verdicts of all tables, each of which depends on those of its sources. Every table is taken to be found whole until it
 * is judged otherwise; then what is built from it is judged again. Nothing becomes whole again, so this ends, in cycles too.
 */
export class Verdicts {
  readonly #verdicts = new Map<number, Verdict>();
  readonly #keys = new Map<number, Keys>();
  readonly #decided: (table: number) => Keys;
  readonly #candidates: (table: number) => readonly KeyMatch[];

  /** `decided` gives the keys by which a person decided to delete a table's rows; `candidates` those that it may have. */
  constructor(decided: (table: number) => Keys, candidates: (table: number) => readonly KeyMatch[]) {
    this.#decided = decided;
    this.#candidates = candidates;
  }

  get(table: number): Verdict {
    return this.#verdicts.get(table)!;
  }

  /** The keys that find all of the person's rows in a table; before it is judged, those that it may have. */
  keysOf(table: number): Keys {
    const known = this.#keys.get(table);
    return known === undefined ? this.#candidates(table).map(({ columns }) => columns) : known;
  }

  /** Judges `tables`, in their order, until no verdict changes another. `feeds` gives what is built from a table. */
  judgeAll(
    tables: readonly number[],
    judge: (table: number) => Verdict,
    feeds: (table: number) => Iterable<number>,
  ): void {
    const known = new Set(tables);
    const queue = [...tables];
    const waiting = new Set(queue);
    for (let at = 0; at < queue.length; at++) {
      const table = queue[at]!;
      waiting.delete(table);
      const verdict = judge(table);
      this.#verdicts.set(table, verdict);
      const before = this.keysOf(table);
      const keys = this.#decided(table) ?? keysFrom(verdict);
      this.#keys.set(table, keys);
      if (JSON.stringify(before) === JSON.stringify(keys)) continue;
      for (const next of feeds(table)) {
        if (!known.has(next) || waiting.has(next)) continue;
        waiting.add(next);
        queue.push(next);
      }
    }
  }
}

/** Two people in a row are asked about at the table itself; its keys find the rows of both. All other doubts count. */
function keysFrom({ matches, causes }: Verdict): Keys {
  const doubtful = causes.some(({ code }) => code !== 'two-people');
  if (matches.length === 0 || doubtful) return null;
  return matches.map(({ columns }) => columns);
}
