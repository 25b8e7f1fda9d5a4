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
  readonly columnTables: Int32Array;
  /** The columns of tables, without those that stand for the whole. */
  readonly columns: ColumnsByName;
  /** Table to the column that stands for the whole of it, or -1 where lineage does not name it. */
  readonly wholes: Int32Array;
  /** The warehouse's own description of a table; null where it has none of that name. */
  readonly real: readonly (PlanTable | null)[];
  /** The numbers of a warehouse table's own columns, in their order; none where it has no such table. */
  readonly realColumns: readonly Int32Array[];
  /** Column to the warehouse's type, where it is known. */
  readonly types: readonly (string | undefined)[];
  /** What events call a view, and the warehouse does not list as a table: a model may have been a view before it became one. */
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
  readonly phantoms: ReadonlyMap<number, readonly number[]>;
  /** Tables that were emptied since others were made from them, to the same as they were before. */
  readonly formerOf: ReadonlyMap<number, number>;
  table(name: string): number | undefined;
}

const NO_COLUMNS = new Int32Array(0);

/** Joins lineage with the warehouse's tables. */
export function planModel(lineage: Lineage, tables: readonly PlanTable[]): PlanModel {
  const names = new Numbering(lineage);
  const real: (PlanTable | null)[] = [];
  const realColumns: Int32Array[] = [];
  for (const table of tables) {
    const number = names.table(table.table);
    real[number] = table;
    realColumns[number] = names.real(number, table.columns);
  }
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
    realColumns: names.tableNames.map((_, at) => realColumns[at] ?? NO_COLUMNS),
    types: typesOf(real, realColumns, names.columnNames.length),
    views: new Set([...flagged('view')].filter((table) => real[table] === undefined)),
    dropped: flagged('dropped'),
    writes,
    writesOf,
    inputsOf: written.map(({ inputs }) => inputs),
    rereadsOf: written.map(({ rereads }) => rereads),
    edges,
    phantoms: phantomsOf(names, realColumns, edges),
    formerOf,
    table: (name) => names.find(name),
  };
}

/** `table.column`, as a person writes it. */
export function columnName({ tableNames, columnTables, columnNames }: PlanModel, column: number): string {
  return `${tableNames[columnTables[column]!]!}.${columnNames[column]!}`;
}

function typesOf(
  real: readonly (PlanTable | null | undefined)[],
  realColumns: readonly (Int32Array | undefined)[],
  columns: number,
): readonly (string | undefined)[] {
  const types = new Array<string | undefined>(columns).fill(undefined);
  for (const [table, own] of realColumns.entries()) {
    const declared = real[table]?.columns;
    if (own === undefined || declared === undefined) continue;
    for (let place = 0; place < own.length; place++) types[own[place]!] = declared[place]!.type;
  }
  return types;
}

function phantomsOf(
  names: Numbering,
  realColumns: readonly (Int32Array | undefined)[],
  edges: EdgeIndex,
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  const isReal = new Uint8Array(names.columnNames.length);
  for (const [table, own] of realColumns.entries()) {
    if (own === undefined) continue;
    for (let place = 0; place < own.length; place++) isReal[own[place]!] = 1;
    const phantoms: number[] = [];
    const named = names.columns.ofLineage(table);
    for (let place = 0; place < named.length; place++) {
      const column = named[place]!;
      if (isReal[column] === 0 && edges.isFilled(column)) phantoms.push(column);
    }
    if (phantoms.length > 0) found.set(table, phantoms);
  }
  return found;
}
