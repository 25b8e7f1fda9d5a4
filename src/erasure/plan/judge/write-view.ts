import type { Write } from '../../../lineage/index.ts';
import { ROLE, type RoleMask, VALUE } from '../../../lineage/roles.ts';
import type { PlanModel } from '../model/model.ts';
import type { Reach } from '../model/reach.ts';

/** An edge of a write into its table. */
export interface WriteEdge {
  readonly from: number;
  readonly fromTable: number;
  readonly to: number;
  readonly roles: RoleMask;
}

/** One write as it is judged: what it read of the person, and how that came in (rule L5d). */
export interface WriteView {
  readonly write: Write;
  /** The number of the write. */
  readonly number: number;
  readonly table: number;
  /** The numbers of its inputs. */
  readonly inputs: readonly number[];
  /** The column that stands for the whole table. */
  readonly whole: number;
  /** Made when it is first asked for: most writes are judged without looking at each edge. */
  readonly edges: readonly WriteEdge[];
  /** The roles of all edges together. */
  readonly roles: RoleMask;
  /** Tables that may hold the person and carry values into this one, with the roles by which they do. */
  readonly carrying: ReadonlyMap<number, RoleMask>;
  /** Columns that take part in a join, by their table. */
  readonly joins: ReadonlyMap<number, readonly number[]>;
  /** Columns that the write filters by. */
  readonly filtered: ReadonlySet<number>;
  /** Columns that the write groups by. */
  readonly grouped: ReadonlySet<number>;
}

/** Views of all writes into a table. */
export function writeViews(model: PlanModel, reach: Reach, table: number): readonly WriteView[] {
  return model.writesOf[table]!.map((number) => viewOf(model, reach, table, number));
}

function viewOf(model: PlanModel, reach: Reach, table: number, number: number): WriteView {
  const write = model.writes[number]!;
  const { from, roles } = write.edges;
  // Rows that were there stay where rows are changed in place; any other write brings its own table's rows in once more.
  const readsItself = !write.rowLevel || write.repeated.includes(write.table);
  const carrying = new Map<number, RoleMask>();
  const joins = new Map<number, Set<number>>();
  const filtered = new Set<number>();
  const grouped = new Set<number>();
  let all: RoleMask = 0;
  for (let at = 0; at < from.length; at++) {
    const column = from[at]!;
    const own = roles[at]!;
    all |= own;
    const fromTable = model.columnTables[column]!;
    if ((own & ROLE.join) !== 0) add(joins, fromTable, column);
    if ((own & ROLE.filter) !== 0) filtered.add(column);
    if ((own & ROLE['group-by']) !== 0) grouped.add(column);
    const value = own & VALUE;
    if (value === 0 || (fromTable === table && !readsItself) || !reach.hasValue(column)) continue;
    const known = carrying.get(fromTable) ?? 0;
    if ((known | value) !== known) carrying.set(fromTable, known | value);
  }
  let edges: readonly WriteEdge[] | null = null;
  return {
    write,
    number,
    table,
    inputs: model.inputsOf[number]!,
    whole: model.wholes[table]!,
    get edges() {
      edges ??= edgesOf(model, write);
      return edges;
    },
    roles: all,
    carrying,
    joins: new Map([...joins].map(([source, columns]) => [source, [...columns]])),
    filtered,
    grouped,
  };
}

function edgesOf({ columnTables }: PlanModel, { edges: { from, to, roles } }: Write): readonly WriteEdge[] {
  return Array.from(from, (column, at) => ({
    from: column,
    fromTable: columnTables[column]!,
    to: to[at]!,
    roles: roles[at]!,
  }));
}

function add(map: Map<number, Set<number>>, key: number, value: number): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}
