import { type Interner, WHOLE } from '../collect/interner.ts';
import { groupBy } from '../group.ts';
import type { ColumnTable, Dataset } from '../lineage.ts';

/** Datasets and their columns joined into tables: several datasets may be one table. */
export interface TableIndex {
  readonly tableNames: readonly string[];
  /** Table to its datasets. */
  readonly datasetsOf: readonly (readonly number[])[];
  /** Column to its table. */
  readonly columnTables: Int32Array;
  /** Dataset to table. */
  readonly tableOf: Int32Array;
  /** Column of a dataset to column of its table. */
  readonly columnOf: Int32Array;
  readonly mapped: readonly boolean[];
  /** Table to the column that stands for the whole of it. */
  readonly wholes: Int32Array;
  /** The number of a table's column that some event names, by the number of its name. */
  find(table: number, name: number): number | undefined;
  /** The number of a table's column, made where it is new. */
  column(table: number, name: number): number;
  /** The finished table of columns: nothing is added after it. */
  columns(): ColumnTable;
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
  const datasetsOf = tableNames.map((): number[] => []);
  for (const [dataset, { table }] of datasets.entries()) {
    datasetsOf[tableOf[dataset]!]!.push(dataset);
    if (table !== null) mapped[tableOf[dataset]!] = true;
  }
  const numbers = numberColumns(interner, tableOf, tableNames);
  const wholes = Int32Array.from(tableNames.keys());
  return { tableNames, datasetsOf, tableOf, mapped, wholes, ...numbers };
}

type ColumnNumbers = Pick<TableIndex, 'columnTables' | 'columnOf' | 'find' | 'column' | 'columns'>;

/** First the columns that stand for whole tables, then those of each table by name. */
function numberColumns(
  interner: Interner,
  tableOf: Int32Array,
  tableNames: readonly string[],
): ColumnNumbers {
  const { nameNumbers, columnDatasets } = interner;
  const texts = interner.columnNames.texts;
  const rank = ranksOf(texts);
  // The whole of a dataset has the rank before all names.
  const byRank = groupBy(
    nameNumbers.map((name) => (name === WHOLE ? 0 : rank[name]! + 1)),
    texts.length + 1,
  );
  const tables = columnDatasets.map((dataset) => tableOf[dataset]!);
  const { starts, items } = groupBy(tables, tableNames.length, byRank.items);

  const columnOf = new Int32Array(interner.columns);
  // Datasets are joined into tables, so there are at most as many columns of tables.
  const columnTables = new Int32Array(interner.columns);
  const nameOf = new Int32Array(interner.columns);
  const firsts = new Int32Array(tableNames.length + 1);
  let size = tableNames.length;
  for (let table = 0; table < tableNames.length; table++) {
    columnTables[table] = table;
    nameOf[table] = WHOLE;
    firsts[table] = size;
    let last = WHOLE;
    for (let at = starts[table]!; at < starts[table + 1]!; at++) {
      const column = items[at]!;
      const name = nameNumbers[column]!;
      if (name !== last) {
        nameOf[size] = name;
        columnTables[size++] = table;
        last = name;
      }
      columnOf[column] = name === WHOLE ? table : size - 1;
    }
  }
  firsts[tableNames.length] = size;

  /** Columns that are found out about later: their tables and names. */
  const later: { readonly table: number; readonly name: number }[] = [];
  const added = new Map<string, number>();
  const find = (table: number, name: number): number | undefined => {
    let [low, high] = [firsts[table]!, firsts[table + 1]!];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rank[nameOf[middle]!]! < rank[name]!) low = middle + 1;
      else high = middle;
    }
    return low < firsts[table + 1]! && nameOf[low] === name ? low : added.get(`${table} ${name}`);
  };
  return {
    columnTables: columnTables.subarray(0, size),
    columnOf,
    find,
    column: (table, name) => {
      const known = find(table, name);
      if (known !== undefined) return known;
      const made = size + later.length;
      later.push({ table, name });
      added.set(`${table} ${name}`, made);
      return made;
    },
    columns: () => {
      const tables = new Int32Array(size + later.length);
      tables.set(columnTables.subarray(0, size));
      for (const [at, { table }] of later.entries()) tables[size + at] = table;
      const names = new Array<string>(size + later.length);
      for (let at = 0; at < size; at++) names[at] = nameOf[at] === WHOLE ? '*' : texts[nameOf[at]!]!;
      for (const [at, { name }] of later.entries()) names[size + at] = texts[name]!;
      return { tableNames, names, tables };
    },
  };
}

/** The place of each text among all, in their order. */
function ranksOf(texts: readonly string[]): Int32Array {
  const order = [...texts.keys()].sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1));
  const ranks = new Int32Array(texts.length);
  for (const [place, text] of order.entries()) ranks[text] = place;
  return ranks;
}
