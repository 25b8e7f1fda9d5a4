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
  /** The number of a table's column that some event names. */
  find(table: number, name: string): number | undefined;
  /** The number of a table's column, made where it is new. */
  column(table: number, name: string): number;
}

/**
 * Numbers tables and their columns in the order of their names, so that events in any order give the same numbers. A dataset
 * that maps to no table stands under `namespace name`.
 */
export function indexTables(interner: Interner, datasets: readonly Dataset[]): TableIndex {
  const labels = datasets.map(({ namespace, name, table }) => table ?? `${namespace} ${name}`);
  const tableNames = [...new Set(labels)].sort();
  const byLabel = new Map(tableNames.map((label, table) => [label, table]));
  const tableOf = Int32Array.from(labels, (label) => byLabel.get(label)!);
  const mapped = tableNames.map(() => false);
  for (const [dataset, { table }] of datasets.entries()) if (table !== null) mapped[tableOf[dataset]!] = true;

  const named = tableNames.map(() => new Set<string>());
  const isWhole = new Set(interner.wholes);
  for (const [index, name] of interner.columnNames.entries())
    if (!isWhole.has(index)) named[tableOf[interner.columnDatasets[index]!]!]!.add(name);
  const columnNames: string[] = [];
  const columnTables: number[] = [];
  const add = (table: number, name: string): number => {
    columnNames.push(name);
    columnTables.push(table);
    return columnNames.length - 1;
  };
  const wholes = Int32Array.from(tableNames, (_, table) => add(table, '*'));
  const byName = named.map(
    (names, table) => new Map([...names].sort().map((name) => [name, add(table, name)] as const)),
  );
  const columnOf = Int32Array.from(interner.columnNames, (name, index) => {
    const table = tableOf[interner.columnDatasets[index]!]!;
    return isWhole.has(index) ? wholes[table]! : byName[table]!.get(name)!;
  });
  return {
    tableNames,
    columnNames,
    columnTables,
    tableOf,
    columnOf,
    wholes,
    mapped,
    find: (table, name) => byName[table]!.get(name),
    column: (table, name) => {
      const known = byName[table]!.get(name);
      if (known !== undefined) return known;
      const made = add(table, name);
      byName[table]!.set(name, made);
      return made;
    },
  };
}

/** The finished table of columns: nothing is added after it. */
export function columnTable({ tableNames, columnNames, columnTables }: TableIndex): ColumnTable {
  return { tableNames, names: columnNames, tables: Int32Array.from(columnTables) };
}
