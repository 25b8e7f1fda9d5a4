import type { Lineage, Write } from '../../../lineage/index.ts';
import type { Numbering } from './numbering.ts';

/** A write in the plan's numbers. */
export interface NumberedWrite {
  readonly write: Write;
  readonly table: number;
  /** What its runs read, former tables among it. */
  readonly inputs: readonly number[];
  /** What its job reads when it runs again. */
  readonly rereads: readonly number[];
}

/** All writes of a lineage, with a table of its own for what each emptied table was before. */
export interface FormerTables {
  /** A table that was emptied to the same as it was before. */
  readonly formerOf: ReadonlyMap<number, number>;
  readonly written: readonly NumberedWrite[];
}

/**
 * Gives every table with retired writes a second number, for what it was before it was last emptied (rule L3). What was made
 * from it then still holds what it held: retired writes lead there, and whoever read the table before is led from there.
 * Where times do not tell, a reader has both.
 */
export function withFormerTables(lineage: Lineage, names: Numbering): FormerTables {
  const plain = (write: Write): NumberedWrite => {
    const inputs = write.inputs.map((name) => names.table(name));
    return { write, table: names.table(write.table), inputs, rereads: inputs };
  };
  const live = lineage.writes.map(plain);
  if (lineage.retired.length === 0) return { formerOf: new Map(), written: live };

  const retired = lineage.retired.map(plain);
  const emptiedAt = new Map(lineage.tables.map((table) => [names.table(table.table), table.emptiedAt]));
  const formerOf = new Map<number, number>();
  const copies = new Map<number, number>();
  for (const [table, columns] of columnsByTable(lineage, new Set(retired.map(({ table }) => table)))) {
    const former = names.former(table, columns);
    formerOf.set(table, former.table);
    for (const [column, copy] of former.columns) copies.set(column, copy);
  }
  const history: History = { formerOf, copies, emptiedAt, columnTables: names.columnTables };
  return {
    formerOf,
    written: [
      ...live.map((write) => led(write, history, false)),
      ...retired.map((write) => led(write, history, true)),
    ],
  };
}

function columnsByTable(
  { columns }: Lineage,
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>([...wanted].map((table) => [table, []]));
  for (const [column, table] of columns.tables.entries()) found.get(table)?.push(column);
  return found;
}

interface History {
  readonly formerOf: ReadonlyMap<number, number>;
  /** A column of a table that was emptied to the same of the former table. */
  readonly copies: ReadonlyMap<number, number>;
  readonly emptiedAt: ReadonlyMap<number, number | null>;
  readonly columnTables: Int32Array;
}

/** A write whose ends lead to former tables where it was made, or read, before they were emptied. */
function led(numbered: NumberedWrite, history: History, retired: boolean): NumberedWrite {
  const { write, table, inputs, rereads } = numbered;
  const { formerOf, copies, columnTables } = history;
  if (!retired && !inputs.some((input) => formerOf.has(input))) return numbered;
  const reads = (input: number): readonly number[] => {
    const former = formerOf.get(input);
    if (former === undefined) return [input];
    if (retired && input === table) return [former];
    const { now, before } = readingOf(write, history.emptiedAt.get(input) ?? null);
    return [...(now ? [input] : []), ...(before ? [former] : [])];
  };
  const from: number[] = [];
  const to: number[] = [];
  const roles: number[] = [];
  for (let at = 0; at < write.edges.from.length; at++) {
    const column = write.edges.from[at]!;
    const source = columnTables[column]!;
    for (const read of reads(source)) {
      from.push(read === source ? column : copies.get(column)!);
      to.push(retired ? copies.get(write.edges.to[at]!)! : write.edges.to[at]!);
      roles.push(write.edges.roles[at]!);
    }
  }
  const edges = { from: Int32Array.from(from), to: Int32Array.from(to), roles: Uint16Array.from(roles) };
  return {
    write: { ...write, edges },
    table: retired ? formerOf.get(table)! : table,
    inputs: inputs.flatMap(reads),
    rereads,
  };
}

/** Whether some run of a write read a table after it was emptied, and before. */
function readingOf(
  { firstSeen, lastSeen }: Write,
  emptiedAt: number | null,
): { readonly now: boolean; readonly before: boolean } {
  return {
    now: emptiedAt === null || lastSeen === null || lastSeen >= emptiedAt,
    before: emptiedAt === null || firstSeen === null || firstSeen <= emptiedAt,
  };
}
