import type { Lineage, Write } from '../../../lineage/index.ts';
import { type EdgeIndex, indexEdges } from './edge-index.ts';

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
  /** Table to its columns, without the one that stands for the whole. */
  readonly columnsOf: readonly ReadonlyMap<string, number>[];
  /** Table to the column that stands for the whole of it, or -1 where lineage does not name it. */
  readonly wholes: Int32Array;
  /** The warehouse's own description of a table; null where it has none of that name. */
  readonly real: readonly (PlanTable | null)[];
  /** Column to the warehouse's type, where it is known. */
  readonly types: readonly (string | undefined)[];
  readonly views: ReadonlySet<number>;
  readonly dropped: ReadonlySet<number>;
  readonly writes: readonly Write[];
  /** Table to the numbers of the writes that made it. */
  readonly writesOf: readonly (readonly number[])[];
  /** Write to the numbers of its inputs. */
  readonly inputsOf: readonly (readonly number[])[];
  readonly edges: EdgeIndex;
  /** Columns that lineage writes and the warehouse's table lacks (rule L1d), by table. */
  readonly phantoms: ReadonlyMap<number, readonly string[]>;
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
  const tableCount = names.tableNames.length;
  const columns = lineage.columns;
  const byName = new Map(lineage.tables.map((table) => [table.table, table]));
  const number = (name: string): number => names.table(name);
  const writesOf = Array.from({ length: tableCount }, (): number[] => []);
  const inputsOf = lineage.writes.map((write, at) => {
    writesOf[number(write.table)]!.push(at);
    return write.inputs.map(number);
  });
  const flagged = (flag: 'view' | 'dropped'): ReadonlySet<number> =>
    new Set(names.tableNames.flatMap((name, at) => (byName.get(name)?.[flag] === true ? [at] : [])));
  const edges = indexEdges(lineage.writes, names.columnNames.length);
  return {
    tableNames: names.tableNames,
    columnNames: names.columnNames,
    columnTables: names.columnTables,
    columnsOf: names.columnsOf,
    wholes: Int32Array.from(names.tableNames, (_, at) => names.wholes.get(at) ?? -1),
    real: names.tableNames.map((_, at) => real[at] ?? null),
    types,
    views: flagged('view'),
    dropped: flagged('dropped'),
    writes: lineage.writes,
    writesOf,
    inputsOf,
    edges,
    phantoms: phantomsOf(names, real, edges, columns.names.length),
    table: (name) => names.find(name),
  };
}

/** Numbers tables and columns, lineage's own numbers first. */
class Numbering {
  readonly tableNames: string[];
  readonly columnNames: string[];
  readonly columnTables: number[];
  readonly columnsOf: Map<string, number>[];
  readonly wholes = new Map<number, number>();
  readonly #tables: Map<string, number>;

  constructor({ columns }: Lineage) {
    this.tableNames = [...columns.tableNames];
    this.columnNames = [...columns.names];
    this.columnTables = [...columns.tables];
    this.#tables = new Map(this.tableNames.map((name, at) => [name, at]));
    this.columnsOf = this.tableNames.map(() => new Map());
    for (const [column, name] of this.columnNames.entries()) {
      const table = this.columnTables[column]!;
      // The first `*` of a table is the whole of it; a real column of that name would come after.
      if (name === '*' && !this.wholes.has(table)) this.wholes.set(table, column);
      else this.columnsOf[table]!.set(name, column);
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
    this.columnsOf.push(new Map());
    this.#tables.set(name, made);
    return made;
  }

  column(table: number, name: string): number {
    const known = this.columnsOf[table]!.get(name) ?? this.#differingInCase(table, name);
    if (known !== undefined) return known;
    const made = this.columnNames.length;
    this.columnNames.push(name);
    this.columnTables.push(table);
    this.columnsOf[table]!.set(name, made);
    return made;
  }

  /** Engines fold case: a column that differs in nothing else, and is the only one, goes by the warehouse's name. */
  #differingInCase(table: number, name: string): number | undefined {
    const columns = this.columnsOf[table]!;
    const folded = name.toLowerCase();
    const near = [...columns.keys()].filter((known) => known.toLowerCase() === folded);
    if (near.length !== 1) return undefined;
    const column = columns.get(near[0]!)!;
    columns.delete(near[0]!);
    columns.set(name, column);
    this.columnNames[column] = name;
    return column;
  }
}

function phantomsOf(
  names: Numbering,
  real: readonly (PlanTable | null)[],
  edges: EdgeIndex,
  columns: number,
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (let column = 0; column < columns; column++) {
    const table = names.columnTables[column]!;
    const columnsOfTable = real[table]?.columns;
    if (columnsOfTable === undefined || names.wholes.get(table) === column) continue;
    if (edges.into(column).length === 0) continue;
    const name = names.columnNames[column]!;
    if (!columnsOfTable.some((known) => known.name === name))
      found.set(table, [...(found.get(table) ?? []), name]);
  }
  return found;
}
