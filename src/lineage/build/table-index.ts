import type { Interner } from '../collect/interner.ts';
import type { ColumnTable, Dataset } from '../lineage.ts';

/** Datasets and their columns joined into tables: several datasets may be one table. */
export interface TableIndex {
  readonly tableNames: readonly string[];
  readonly columnNames: readonly string[];
  /** Column to its table. */
  readonly columnTables: readonly number[];
  /** Dataset to table. */
  readonly tableOf: Int32Array;
  /** Column of a dataset to column of its table. */
  readonly columnOf: Int32Array;
  /** Table to the column that stands for the whole of it. */
  readonly wholes: Int32Array;
  readonly mapped: readonly boolean[];
  /** The number of a table's column, made where it is new. */
  column(table: number, name: string): number;
}

/** Numbers tables and their columns. A dataset that maps to no table stands under `namespace name`. */
export function indexTables(interner: Interner, datasets: readonly Dataset[]): TableIndex {
  const tableNames: string[] = [];
  const mapped: boolean[] = [];
  const byName = new Map<string, number>();
  const tableOf = Int32Array.from(datasets, ({ namespace, name, table }) => {
    const label = table ?? `${namespace} ${name}`;
    let index = byName.get(label);
    if (index === undefined) {
      index = tableNames.length;
      byName.set(label, index);
      tableNames.push(label);
      mapped.push(table !== null);
    }
    return index;
  });
  const columnNames: string[] = [];
  const columnTables: number[] = [];
  const columnsByName = tableNames.map(() => new Map<string, number>());
  const add = (table: number, name: string): number => {
    columnNames.push(name);
    columnTables.push(table);
    return columnNames.length - 1;
  };
  const column = (table: number, name: string): number => {
    const columns = columnsByName[table]!;
    let index = columns.get(name);
    if (index === undefined) {
      index = add(table, name);
      columns.set(name, index);
    }
    return index;
  };
  const wholes = Int32Array.from(tableNames, (_, table) => add(table, '*'));
  const isWhole = new Set(interner.wholes);
  const columnOf = Int32Array.from(interner.columnNames, (name, index) => {
    const table = tableOf[interner.columnDatasets[index]!]!;
    return isWhole.has(index) ? wholes[table]! : column(table, name);
  });
  return { tableNames, columnNames, columnTables, tableOf, columnOf, wholes, mapped, column };
}

/** The finished table of columns: nothing is added after it. */
export function columnTable({ tableNames, columnNames, columnTables }: TableIndex): ColumnTable {
  return { tableNames, names: columnNames, tables: Int32Array.from(columnTables) };
}
