import type { Lineage, Write } from '../../../lineage/index.ts';
import { type EdgeIndex, indexEdges } from './edge-index.ts';
import { withFormerTables } from './former-tables.ts';
import { Numbering } from './numbering.ts';
import type { ColumnsByName } from './table-columns.ts';

/** A table of the warehouse as planning needs it. */
export interface PlanTable {
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type?: string }[];
}

/**
 * Lineage and the warehouse's own tables in one numbering, so that every later step works on numbers. Tables that only
 * lineage names (views, topics, files) are in it too: data passes through them.
 */
export interface PlanModel {
  readonly tableNames: readonly string[];
  readonly columnNames: readonly string[];
  /** Column to its table. */
  readonly columnTables: readonly number[];
  /** The columns of tables, without those that stand for the whole. */
  readonly columns: ColumnsByName;
  /** Table to the column that stands for the whole of it, or -1 where lineage does not name it. */
  readonly wholes: Int32Array;
  /** The warehouse's own description of a table; null where it has none of that name. */
  readonly real: readonly (PlanTable | null)[];
  /** Column to the warehouse's type, where it is known. */
  readonly types: readonly (string | undefined)[];
  readonly views: ReadonlySet<number>;
  readonly dropped: ReadonlySet<number>;
  /** Live and retired; the latter made tables as they were before they were emptied. */
  readonly writes: readonly Write[];
  /** Table to the numbers of the writes that made it. */
  readonly writesOf: readonly (readonly number[])[];
  /** Write to the numbers of its inputs. */
  readonly inputsOf: readonly (readonly number[])[];
  /** Write to what its job reads when it runs again. */
  readonly rereadsOf: readonly (readonly number[])[];
  readonly edges: EdgeIndex;
  /** Columns that lineage writes and the warehouse's table lacks (rule L1d), by table. */
  readonly phantoms: ReadonlyMap<number, readonly string[]>;
  /** Tables that were emptied since others were made from them, to the same as they were before. */
  readonly formerOf: ReadonlyMap<number, number>;
  table(name: string): number | undefined;
}

/** Joins lineage with the warehouse's tables. */
export function planModel(lineage: Lineage, tables: readonly PlanTable[]): PlanModel {
  const names = new Numbering(lineage);
  const real: (PlanTable | null)[] = [];
  const types: (string | undefined)[] = [];
  for (const table of tables) {
    const number = names.table(table.table);
    real[number] = table;
    for (const column of table.columns) types[names.column(number, column.name)] = column.type;
  }
  const columns = lineage.columns;
  const byName = new Map(lineage.tables.map((table) => [table.table, table]));
  const { formerOf, written } = withFormerTables(lineage, names);
  const writes = written.map(({ write }) => write);
  const writesOf = names.tableNames.map((): number[] => []);
  for (const [at, { table }] of written.entries()) writesOf[table]!.push(at);
  const flagged = (flag: 'view' | 'dropped'): ReadonlySet<number> =>
    new Set(names.tableNames.flatMap((name, at) => (byName.get(name)?.[flag] === true ? [at] : [])));
  const edges = indexEdges(writes, names.columnNames.length);
  return {
    tableNames: names.tableNames,
    columnNames: names.columnNames,
    columnTables: names.columnTables,
    columns: names.columns,
    wholes: Int32Array.from(names.tableNames, (_, at) => names.wholes.get(at) ?? -1),
    real: names.tableNames.map((_, at) => real[at] ?? null),
    types,
    views: flagged('view'),
    dropped: flagged('dropped'),
    writes,
    writesOf,
    inputsOf: written.map(({ inputs }) => inputs),
    rereadsOf: written.map(({ rereads }) => rereads),
    edges,
    phantoms: phantomsOf(names, real, edges, columns.names.length),
    formerOf,
    table: (name) => names.find(name),
  };
}

/** `table.column`, as a person writes it. */
export function columnName({ tableNames, columnTables, columnNames }: PlanModel, column: number): string {
  return `${tableNames[columnTables[column]!]!}.${columnNames[column]!}`;
}

function phantomsOf(
  names: Numbering,
  real: readonly (PlanTable | null)[],
  edges: EdgeIndex,
  columns: number,
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  // The columns of a table follow one another.
  let last = -1;
  let listed: ReadonlySet<string> = new Set();
  for (let column = 0; column < columns; column++) {
    const table = names.columnTables[column]!;
    const columnsOfTable = real[table]?.columns;
    if (columnsOfTable === undefined || names.wholes.get(table) === column) continue;
    if (!edges.isFilled(column)) continue;
    const name = names.columnNames[column]!;
    if (table !== last) {
      last = table;
      listed = new Set(columnsOfTable.map((known) => known.name));
    }
    if (!listed.has(name)) found.set(table, [...(found.get(table) ?? []), name]);
  }
  return found;
}
