import type { Lineage } from '../../../lineage/index.ts';
import { TableColumns } from './table-columns.ts';

/** Numbers tables and columns, lineage's own numbers first. */
export class Numbering {
  readonly tableNames: string[];
  readonly columnNames: string[];
  readonly columnTables: number[];
  /** All columns but those that stand for whole tables. */
  readonly columns: TableColumns;
  readonly wholes = new Map<number, number>();
  readonly #tables: Map<string, number>;

  constructor({ columns }: Lineage) {
    this.tableNames = [...columns.tableNames];
    this.columnNames = [...columns.names];
    this.columnTables = [...columns.tables];
    this.#tables = new Map(this.tableNames.map((name, at) => [name, at]));
    this.columns = new TableColumns(this.tableNames.length, this.columnNames.length);
    for (let column = 0; column < this.columnNames.length; column++) {
      const name = this.columnNames[column]!;
      const table = this.columnTables[column]!;
      // The first `*` of a table is the whole of it; a real column of that name would come after.
      if (name === '*' && !this.wholes.has(table)) this.wholes.set(table, column);
      else this.columns.set(table, name, column);
    }
  }

  find(name: string): number | undefined {
    return this.#tables.get(name);
  }

  table(name: string): number {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const made = this.tableNames.length;
    this.tableNames.push(name);
    this.columns.addTable();
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
    this.columns.addTable();
    const copies = new Map<number, number>();
    for (const column of columns) {
      const copy = this.columnNames.length;
      const name = this.columnNames[column]!;
      this.columnNames.push(name);
      this.columnTables.push(made);
      if (this.wholes.get(table) === column) this.wholes.set(made, copy);
      else this.columns.set(made, name, copy);
      copies.set(column, copy);
    }
    return { table: made, columns: copies };
  }

  column(table: number, name: string): number {
    const known = this.columns.find(table, name) ?? this.#differingInCase(table, name);
    if (known !== undefined) return known;
    const made = this.columnNames.length;
    this.columnNames.push(name);
    this.columnTables.push(table);
    this.columns.set(table, name, made);
    return made;
  }

  /** Engines fold case: a column that differs in nothing else, and is the only one, goes by the warehouse's name. */
  #differingInCase(table: number, name: string): number | undefined {
    const folded = name.toLowerCase();
    const near = [...this.columns.of(table)].filter(
      (column) => this.columnNames[column]!.toLowerCase() === folded,
    );
    const [column] = near;
    if (column === undefined || near.length > 1) return undefined;
    this.columns.delete(table, this.columnNames[column]!);
    this.columns.set(table, name, column);
    this.columnNames[column] = name;
    return column;
  }
}
