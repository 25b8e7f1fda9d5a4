import { PairTable } from '../../../lineage/collect/pair-table.ts';
import { TextTable } from '../../../lineage/collect/text-table.ts';

const NONE = -1;

/** The columns of all tables, by name. */
export interface ColumnsByName {
  /** The number of a table's column of that name. */
  find(table: number, name: string): number | undefined;
  /** The numbers of a table's columns, in the order in which they were set. */
  of(table: number): Iterable<number>;
}

/**
 * Finds columns by table and name, all in few arrays of numbers: a map for each table would be the largest single cost of
 * planning, in time and in memory.
 */
export class TableColumns implements ColumnsByName {
  readonly #names = new TextTable();
  readonly #pairs = new PairTable();
  /** By pair of table and name: its column, and the pair that comes next in its table. */
  #columns: Int32Array;
  #next: Int32Array;
  /** By table: its first pair and its last. */
  readonly #first: number[] = [];
  readonly #last: number[] = [];

  /** Begins with `tables` tables without columns, and room for `columns` columns. */
  constructor(tables: number, columns: number) {
    this.#columns = new Int32Array(columns + 1).fill(NONE);
    this.#next = new Int32Array(columns + 1).fill(NONE);
    for (let table = 0; table < tables; table++) this.addTable();
  }

  /** Adds the next table. */
  addTable(): void {
    this.#first.push(NONE);
    this.#last.push(NONE);
  }

  find(table: number, name: string): number | undefined {
    const column = this.#columns[this.#pair(table, name)];
    return column === undefined || column === NONE ? undefined : column;
  }

  *of(table: number): Generator<number> {
    for (let pair = this.#first[table]!; pair !== NONE; pair = this.#next[pair]!) yield this.#columns[pair]!;
  }

  /** Gives a table's column that name; the one that had it is forgotten. */
  set(table: number, name: string, column: number): void {
    const pair = this.#pairs.number(table, this.#names.number(name));
    if (pair >= this.#columns.length) this.#grow();
    const isNew = this.#columns[pair] === NONE;
    this.#columns[pair] = column;
    if (!isNew) return;
    const last = this.#last[table]!;
    if (last === NONE) this.#first[table] = pair;
    else this.#next[last] = pair;
    this.#last[table] = pair;
  }

  /** Forgets a table's column of that name, in time linear in the columns of the table. */
  delete(table: number, name: string): void {
    const gone = this.#pair(table, name);
    let before = NONE;
    for (let pair = this.#first[table]!; pair !== NONE; before = pair, pair = this.#next[pair]!) {
      if (pair !== gone) continue;
      const after = this.#next[pair]!;
      if (before === NONE) this.#first[table] = after;
      else this.#next[before] = after;
      if (after === NONE) this.#last[table] = before;
      this.#columns[pair] = NONE;
      this.#next[pair] = NONE;
      return;
    }
  }

  #pair(table: number, name: string): number {
    const number = this.#names.find(name);
    return number === undefined ? NONE : (this.#pairs.find(table, number) ?? NONE);
  }

  #grow(): void {
    const size = this.#columns.length;
    const grown = (array: Int32Array): Int32Array => {
      const bigger = new Int32Array(size * 2).fill(NONE, size);
      bigger.set(array);
      return bigger;
    };
    this.#columns = grown(this.#columns);
    this.#next = grown(this.#next);
  }
}
