import type { Predicate } from '../../predicate/predicate.ts';
import type { Literal } from '../../values/literal.ts';
import type { Warehouse } from '../../warehouse/warehouse.ts';
import { type Finder, finder } from '../text/finder.ts';
import { fold } from '../text/fold.ts';
import type { TextTrace } from '../traces.ts';

/** Columns of a table that identify people, and which of its rows are other people's. */
export interface OthersColumns {
  readonly table: string;
  readonly columns: readonly string[];
  /** Whether they are text: then only rows need be read in which one of the texts may stand. */
  readonly text: boolean;
  readonly where: Predicate;
}

/** The values that are asked about. */
export interface Sought {
  readonly texts: readonly Omit<TextTrace, 'shared'>[];
  readonly literals: readonly Literal[];
}

/** Which of them other people have too. */
export interface Shared {
  hasText(text: string): boolean;
  hasValue(literal: Literal): boolean;
}

/** Values are searched together, this many characters at once; U+FFFF keeps them apart. */
const BATCH = 1 << 18;
const BETWEEN = '\uffff';

/**
 * Finds out which values other people have too (rule S3), in one streamed pass over these columns. A trace is
 * shared where another person's value holds it, because there the scan would find it.
 */
export async function findShared(
  warehouse: Pick<Warehouse, 'distinct'>,
  others: readonly OthersColumns[],
  sought: Sought,
): Promise<Shared> {
  const shared = new SeenAmongOthers(sought);
  if (sought.literals.length === 0) return shared;
  const mayHold = sought.texts.map(({ text }) => text);
  for (const { table, columns, text, where } of others) {
    for await (const tuple of warehouse.distinct(table, columns, where, text ? { mayHold } : {})) {
      for (const literal of tuple) if (literal !== null) shared.see(literal);
    }
  }
  shared.finish();
  return shared;
}

/** Which of the texts and typed values sought were seen among other people's. */
class SeenAmongOthers implements Shared {
  readonly #contained: readonly string[];
  readonly #find: Finder;
  readonly #cells: ReadonlySet<string>;
  readonly #literals: ReadonlySet<string>;
  readonly #texts = new Set<string>();
  readonly #values = new Set<string>();
  #batch = '';

  constructor({ texts, literals }: Sought) {
    this.#contained = texts.filter((trace) => !trace.wholeCell).map((trace) => trace.text);
    const patterns = this.#contained.map((text) => new TextEncoder().encode(text));
    this.#find = patterns.length === 0 ? () => {} : finder(patterns);
    this.#cells = new Set(texts.filter((trace) => trace.wholeCell).map((trace) => trace.text));
    this.#literals = new Set(literals.map(keyOf));
  }

  /** Takes in one value of another person. */
  see(literal: Literal): void {
    if (literal.type === 'boolean') return;
    const key = keyOf(literal);
    if (this.#literals.has(key)) this.#values.add(key);
    const folded = fold(literal.value);
    const cell = folded.trim();
    if (this.#cells.has(cell)) this.#texts.add(cell);
    this.#batch += folded + BETWEEN;
    if (this.#batch.length > BATCH) this.finish();
  }

  /** Searches what was taken in and not searched yet. */
  finish(): void {
    const bytes = new TextEncoder().encode(this.#batch);
    this.#batch = '';
    this.#find(bytes, 0, bytes.length, (pattern) => {
      this.#texts.add(this.#contained[pattern]!);
      return false;
    });
  }

  hasText(text: string): boolean {
    return this.#texts.has(text);
  }

  hasValue(literal: Literal): boolean {
    return this.#values.has(keyOf(literal));
  }
}

function keyOf(literal: Literal): string {
  return `${literal.type} ${literal.value}`;
}
