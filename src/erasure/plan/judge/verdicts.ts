import type { KeyClass, KeyMatch } from '../keys/key-class.ts';
import type { FoundCause } from './judge.ts';

/** What lineage says about the person's rows in a table. */
export interface Verdict {
  /** Any of them matches (rule L5c). */
  readonly matches: readonly KeyMatch[];
  /** The subject's own key does not find them all: bridges were needed beside it. */
  readonly patched: boolean;
  readonly causes: readonly FoundCause[];
}

/** How the rows of a table are found: by which columns, and whether all of them are. */
interface Holding {
  readonly whole: boolean;
  readonly columns: ReadonlySet<number>;
}

/**
 * The verdicts of all tables, each of which depends on those of its sources. Every table is taken to be found whole until it
 * is judged otherwise; then what is built from it is judged again. Nothing becomes whole again, so this ends, in cycles too.
 */
export class Verdicts {
  readonly #verdicts = new Map<number, Verdict>();
  readonly #holdings = new Map<number, Holding>();
  readonly #decided: (table: number) => ReadonlySet<number> | null;

  /** `decided` gives the columns that a person decided to delete a table's rows by, or null. */
  constructor(decided: (table: number) => ReadonlySet<number> | null) {
    this.#decided = decided;
  }

  get(table: number): Verdict {
    return this.#verdicts.get(table)!;
  }

  /** Whether a column is one by which all of the person's rows in its table are found, or the row key of that very table. */
  findsBy(table: number, column: number, keyClass: KeyClass): boolean {
    const holding = this.#holdings.get(table);
    if (holding === undefined) return true;
    if (!holding.whole) return false;
    return holding.columns.has(column) || (keyClass.kind === 'row' && keyClass.table === table);
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
      const holding = this.#holdingOf(table, verdict);
      const before = this.#holdings.get(table);
      this.#holdings.set(table, holding);
      if (before !== undefined ? same(before, holding) : false) continue;
      for (const next of feeds(table)) {
        if (!known.has(next) || waiting.has(next)) continue;
        waiting.add(next);
        queue.push(next);
      }
    }
  }

  #holdingOf(table: number, { matches, patched, causes }: Verdict): Holding {
    const decided = this.#decided(table);
    if (decided !== null) return { whole: true, columns: decided };
    const columns = new Set(matches.flatMap((match) => match.columns));
    // Two people in a row are asked about at the table itself; either key finds the rows of its own person there.
    const doubts = causes.filter(({ code }) => code !== 'two-people');
    return { whole: matches.length > 0 && !patched && doubts.length === 0, columns };
  }
}

function same(a: Holding, b: Holding): boolean {
  return (
    a.whole === b.whole &&
    a.columns.size === b.columns.size &&
    [...a.columns].every((column) => b.columns.has(column))
  );
}
