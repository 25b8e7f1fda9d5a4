import type { Lineage } from '../../../lineage/index.ts';
import { RealColumns, TableColumns } from './table-columns.ts';

const NONE = -1;

/** Numbers tables and columns, lineage's own numbers first. */
export class Numbering {
  readonly tableNames: string[];
  readonly columnNames: string[];
  /** All columns but those that stand for whole tables. */
  readonly columns: TableColumns;
  readonly wholes = new Map<number, number>();
  readonly #tables: Map<string, number>;
  readonly #real: RealColumns;
  #columnTables: Int32Array<ArrayBufferLike>;

  constructor({ columns }: Lineage) {
    this.tableNames = [...columns.tableNames];
    this.columnNames = [...columns.names];
    this.#columnTables = columns.tables;
    this.#tables = new Map(this.tableNames.map((name, at) => [name, at]));
    for (let column = 0; column < this.columnNames.length; column++) {
      const table = columns.tables[column]!;
      // The first `*` of a table is the whole of it; a real column of that name would come after.
      if (this.columnNames[column] === '*' && !this.wholes.has(table)) this.wholes.set(table, column);
    }
    this.columns = new TableColumns({
      tables: columns.tables,
      names: this.columnNames,
      count: this.tableNames.length,
      isWhole: (column) =>
        this.columnNames[column] === '*' && this.wholes.get(columns.tables[column]!) === column,
    });
    this.#real = new RealColumns(this.columnNames);
  }

  /** Column to its table. */
  get columnTables(): Int32Array {
    return this.#columnTables.subarray(0, this.columnNames.length);
  }

  find(name: string): number | undefined {
    return this.#tables.get(name);
  }

  table(name: string): number {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const made = this.tableNames.length;
    this.tableNames.push(name);
    this.#tables.set(name, made);
    return made;
  }

  /** Another table of the same name, which is found by its number alone, with a copy of each of `columns`. */
  former(
    table: number,
    columns: readonly number[],
  ): { readonly table: number; readonly columns: ReadonlyMap<number, number> } {
    const made = this.tableNames.length;
    this.tableNames.push(this.tableNames[table]!);
    const copies = new Map<number, number>();
    for (const column of columns) {
      const isWhole = this.wholes.get(table) === column;
      const copy = this.#made(made, this.columnNames[column]!);
      if (isWhole) this.wholes.set(made, copy);
      else this.columns.add(made, copy);
      copies.set(column, copy);
    }
    return { table: made, columns: copies };
  }

  /**
   * The numbers of a warehouse table's own columns, in their order. Engines fold case: a column of the lineage that differs in
   * nothing else from one of these, and is the only one, goes by the warehouse's name.
   */
  real(table: number, columns: readonly { readonly name: string }[]): Int32Array {
    const known = this.columns.ofLineage(table);
    const found = this.#real.among(columns, known);
    if (!found.includes(NONE)) return found;
    const near = foldedNames(this.columnNames, known, new Set(found));
    for (const [place, { name }] of columns.entries()) {
      if (found[place] !== NONE) continue;
      const folded = name.toLowerCase();
      const column = near.get(folded) ?? NONE;
      if (column === NONE) {
        found[place] = this.#made(table, name);
        this.columns.add(table, found[place]);
        continue;
      }
      found[place] = column;
      near.delete(folded);
      this.columnNames[column] = name;
      this.columns.renamed(table);
    }
    return found;
  }

  #made(table: number, name: string): number {
    const made = this.columnNames.length;
    this.columnNames.push(name);
    if (made >= this.#columnTables.length) {
      const bigger = new Int32Array(Math.max(64, made * 2));
      bigger.set(this.#columnTables);
      this.#columnTables = bigger;
    }
    this.#columnTables[made] = table;
    return made;
  }
}

/** Columns without one of their own in the warehouse, by their names in small letters; -1 where there are two of one. */
function foldedNames(
  names: readonly string[],
  columns: Int32Array,
  taken: ReadonlySet<number>,
): Map<string, number> {
  const folded = new Map<string, number>();
  for (const column of columns) {
    if (taken.has(column)) continue;
    const name = names[column]!.toLowerCase();
    folded.set(name, folded.has(name) ? NONE : column);
  }
  return folded;
}
