import { groupBy } from '../../../lineage/group.ts';

const NONE = -1;

/** Numbers in order, as a list or as a part of a long one. */
export type Numbers = Iterable<number> & ArrayLike<number>;

/** The columns of all tables, by name. */
export interface ColumnsByName {
  /** The number of a table's column of that name. */
  find(table: number, name: string): number | undefined;
  /** The numbers of a table's columns, in the order in which they were numbered. */
  of(table: number): Numbers;
}

/** Columns as lineage numbers them: the table and the name of each. */
export interface NamedColumns {
  readonly tables: Int32Array;
  readonly names: readonly string[];
  /** How many tables there are. */
  readonly count: number;
  /** Whether a column stands for the whole of its table, and so is none of its columns. */
  readonly isWhole: (column: number) => boolean;
}

/**
 * Finds columns by table and name. Those of the lineage stand in one array, grouped by table; a map from names is made for a table
 * when it is first asked about: one for each would be the largest single cost of planning, in time and in memory.
 */
export class TableColumns implements ColumnsByName {
  readonly #starts: Int32Array;
  readonly #items: Int32Array;
  /** Columns that were added later, by table. */
  readonly #added = new Map<number, number[]>();
  readonly #byName = new Map<number, Map<string, number>>();
  readonly #names: readonly string[];

  /** `names` may go on to grow and to change, as {@link add} and {@link renamed} tell. */
  constructor({ tables, names, count, isWhole }: NamedColumns) {
    const groups = groupBy(
      tables.map((table, column) => (isWhole(column) ? count : table)),
      count + 1,
    );
    this.#starts = groups.starts.subarray(0, count + 1);
    this.#items = groups.items;
    this.#names = names;
  }

  find(table: number, name: string): number | undefined {
    return this.#mapOf(table).get(name);
  }

  of(table: number): Numbers {
    const first = this.ofLineage(table);
    const added = this.#added.get(table);
    return added === undefined ? first : [...first, ...added];
  }

  /** The columns that lineage names. */
  ofLineage(table: number): Int32Array {
    if (table + 1 >= this.#starts.length) return this.#items.subarray(0, 0);
    return this.#items.subarray(this.#starts[table], this.#starts[table + 1]);
  }

  /** Adds a column that was numbered and named later. */
  add(table: number, column: number): void {
    const added = this.#added.get(table);
    if (added === undefined) this.#added.set(table, [column]);
    else added.push(column);
    this.#byName.get(table)?.set(this.#names[column]!, column);
  }

  /** A column of a table has another name now. */
  renamed(table: number): void {
    this.#byName.delete(table);
  }

  #mapOf(table: number): ReadonlyMap<string, number> {
    const known = this.#byName.get(table);
    if (known !== undefined) return known;
    const made = new Map(Array.from(this.of(table), (column) => [this.#names[column]!, column]));
    this.#byName.set(table, made);
    return made;
  }
}

/**
 * Finds the columns of a table of the warehouse among those that lineage names, for one table after another. Where both are in the
 * order of their names they are walked side by side, which most tables of a lake allow, and many share one list of columns.
 */
export class RealColumns {
  readonly #names: readonly string[];
  /** A list of columns to their places in the order of their names. */
  readonly #orders = new WeakMap<object, Int32Array>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** For each of `columns`, the one of `known` that has its name, or -1. */
  among(columns: readonly { readonly name: string }[], known: Int32Array): Int32Array {
    const found = new Int32Array(columns.length).fill(NONE);
    return this.#sideBySide(columns, known, found) ? found : this.#byName(columns, known, found.fill(NONE));
  }

  /** False where `known` is in another order. */
  #sideBySide(columns: readonly { readonly name: string }[], known: Int32Array, found: Int32Array): boolean {
    const order = this.#orderOf(columns);
    let [at, last] = [0, ''];
    for (let place = 0; place < order.length; place++) {
      const name = columns[order[place]!]!.name;
      for (; at < known.length; at++) {
        const own = this.#names[known[at]!]!;
        if (own === name) {
          found[order[place]!] = known[at]!;
          last = own;
          at += 1;
          break;
        }
        if (own > name) break;
        if (own < last) return false;
        last = own;
      }
    }
    for (; at < known.length; at++) {
      const own = this.#names[known[at]!]!;
      if (own < last) return false;
      last = own;
    }
    return true;
  }

  #byName(columns: readonly { readonly name: string }[], known: Int32Array, found: Int32Array): Int32Array {
    const byName = new Map(Array.from(known, (column) => [this.#names[column]!, column]));
    for (const [place, { name }] of columns.entries()) found[place] = byName.get(name) ?? NONE;
    return found;
  }

  #orderOf(columns: readonly { readonly name: string }[]): Int32Array {
    const known = this.#orders.get(columns);
    if (known !== undefined) return known;
    const made = Int32Array.from(columns.keys()).sort((a, b) =>
      columns[a]!.name < columns[b]!.name ? -1 : 1,
    );
    this.#orders.set(columns, made);
    return made;
  }
}
