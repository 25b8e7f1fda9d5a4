import { ROLE, type RoleMask, SHAPE, VALUE } from '../../../lineage/roles.ts';
import type { PlanModel } from './model.ts';

/**
 * How far a person's rows came (rule L4). A column is reached by value where a value of theirs is or may be in it, and by
 * shape where their rows only decided what is there. Where a value came in row by row, the whole row counts as theirs.
 */
export interface Reach {
  /** Tables that hold a value of theirs in some column, if only added up with others'. */
  readonly values: ReadonlySet<number>;
  /** Every table that was reached, by whatever role. */
  readonly tables: ReadonlySet<number>;
  hasValue(column: number): boolean;
  /** The edges by which a table was first reached, from a source on. */
  pathTo(table: number): readonly number[];
}

/** Stand for the edge that reached a table, where its rows are the person's to begin with, and where none did. */
const START = -1;
const UNREACHED = -2;

const BY_ROW: RoleMask = ROLE.identity | ROLE.transformation | ROLE['transformation-masked'] | ROLE.unknown;

/** Walks the column graph from all columns of some tables. Each edge is looked at twice at most, in cycles and diamonds too. */
export function reachFrom(model: PlanModel, starts: readonly number[]): Reach {
  const walk = new Walk(model);
  for (const table of starts) walk.rowsIn(table, START);
  walk.run();
  return walk.result();
}

class Walk {
  readonly #model: PlanModel;
  readonly #value: Uint8Array;
  readonly #shape: Uint8Array;
  /** By table: whether it holds, or may hold, rows of theirs. */
  readonly #rows: Uint8Array;
  readonly #values = new Set<number>();
  readonly #tables = new Set<number>();
  /** Table to the edge that reached it first, by value and by shape. */
  readonly #byValue: Int32Array;
  readonly #byShape: Int32Array;
  /** Columns to follow: each is here twice at most. */
  readonly #queue: Int32Array;
  #queued = 0;

  constructor(model: PlanModel) {
    this.#model = model;
    this.#value = new Uint8Array(model.columnNames.length);
    this.#shape = new Uint8Array(model.columnNames.length);
    this.#rows = new Uint8Array(model.tableNames.length);
    this.#byValue = new Int32Array(model.tableNames.length).fill(UNREACHED);
    this.#byShape = this.#byValue.slice();
    this.#queue = new Int32Array(2 * model.columnNames.length);
  }

  run(): void {
    // The queue grows while it is read.
    for (let at = 0; at < this.#queued; at++) this.#follow(this.#queue[at]!);
  }

  rowsIn(table: number, edge: number): void {
    if (this.#rows[table] === 1) return;
    this.#rows[table] = 1;
    this.#values.add(table);
    this.#touch(table, edge, this.#byValue);
    this.#markAll(table, this.#value);
  }

  result(): Reach {
    const { edges, columnTables } = this.#model;
    const [byValue, byShape, value] = [this.#byValue, this.#byShape, this.#value];
    return {
      values: this.#values,
      tables: this.#tables,
      hasValue: (column) => value[column] === 1,
      pathTo: (table) => {
        const path: number[] = [];
        const seen = new Set<number>();
        for (let at = table; !seen.has(at); ) {
          seen.add(at);
          const edge = byValue[at] === UNREACHED ? byShape[at]! : byValue[at]!;
          if (edge < 0) break;
          path.unshift(edge);
          at = columnTables[edges.from[edge]!]!;
        }
        return path;
      },
    };
  }

  #follow(column: number): void {
    const { edges, columnTables, wholes } = this.#model;
    const { starts, items } = edges.leaving;
    const own = columnTables[column]!;
    const byValue = this.#value[column] === 1;
    for (let at = starts[column]!; at < starts[column + 1]!; at++) {
      const edge = items[at]!;
      const to = edges.to[edge]!;
      const table = columnTables[to]!;
      if (table === own) continue;
      const roles = edges.roles[edge]!;
      if (byValue && (roles & BY_ROW) !== 0) this.rowsIn(table, edge);
      else if (byValue && (roles & VALUE) !== 0 && to !== wholes[table]) {
        this.#values.add(table);
        this.#touch(table, edge, this.#byValue);
        this.#mark(to, this.#value);
        this.#shapes(table, edge);
      } else if ((roles & (SHAPE | VALUE)) !== 0) this.#shapes(table, edge);
    }
  }

  /** The person's rows decided what is in the table: all of it passes that on. */
  #shapes(table: number, edge: number): void {
    if (this.#byShape[table] !== UNREACHED) return;
    this.#touch(table, edge, this.#byShape);
    this.#markAll(table, this.#shape);
  }

  #touch(table: number, edge: number, by: Int32Array): void {
    this.#tables.add(table);
    if (by[table] === UNREACHED) by[table] = edge;
  }

  #mark(column: number, state: Uint8Array): void {
    if (state[column] === 1 || (state === this.#shape && this.#value[column] === 1)) return;
    state[column] = 1;
    this.#queue[this.#queued++] = column;
  }

  #markAll(table: number, state: Uint8Array): void {
    const columns = this.#model.columns.of(table);
    for (let at = 0; at < columns.length; at++) this.#mark(columns[at]!, state);
    const whole = this.#model.wholes[table]!;
    if (whole >= 0) this.#mark(whole, state);
  }
}
