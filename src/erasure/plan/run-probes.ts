import type { Warehouse } from '../../warehouse/warehouse.ts';
import type { Plan, Question, TableColumns } from './plan.ts';

/** What a probe counted; never a value. */
export interface ProbeAnswer {
  readonly table: string;
  readonly asks: string;
  readonly sql: string;
  /** Rows of the table. */
  readonly rows: number;
  /** Those that the question is about. */
  readonly counted: number;
}

/**
 * Asks the tables every question of a plan's reviews, by reading alone. The ids of a comparison are held in memory, once for
 * each probe.
 *
 * ```ts
 * for (const { table, asks, rows, counted } of await runProbes(plan, warehouse)) console.log(table, asks, counted, rows);
 * ```
 */
export async function runProbes(
  plan: Plan,
  warehouse: Pick<Warehouse, 'count' | 'read' | 'distinct'>,
): Promise<readonly ProbeAnswer[]> {
  const answers: ProbeAnswer[] = [];
  for (const { table, probe } of plan.steps)
    for (const { asks, sql, question } of probe)
      answers.push({ table, asks, sql, ...(await answer(question, warehouse)) });
  return answers;
}

type Counts = Pick<ProbeAnswer, 'rows' | 'counted'>;
type Reading = Pick<Warehouse, 'count' | 'read' | 'distinct'>;

async function answer(question: Question, warehouse: Reading): Promise<Counts> {
  const { kind, table } = question;
  switch (kind) {
    case 'rows': {
      const rows = await warehouse.count(table);
      return { rows, counted: rows };
    }
    case 'differing': {
      const { keys } = question;
      const width = keys[0]!.length;
      return countRows(warehouse, {
        table,
        columns: keys.flat(),
        counts: (row) => row.some((value, at) => value !== row[at % width]),
      });
    }
    default: {
      const { columns, among } = question;
      const there = among === null ? null : await tuplesOf(warehouse, among);
      const isThere = (row: Row): boolean =>
        row.every((value) => value !== null) && there?.has(JSON.stringify(row)) !== false;
      const counts = {
        known: isThere,
        unknown: (row: Row) => !isThere(row),
        misplaced: (row: Row) => row.at(-1) !== null && !isThere(row),
      };
      return countRows(warehouse, { table, columns, counts: counts[kind] });
    }
  }
}

async function tuplesOf(warehouse: Reading, { table, columns }: TableColumns): Promise<ReadonlySet<string>> {
  const tuples = new Set<string>();
  for await (const tuple of warehouse.distinct(table, columns))
    tuples.add(JSON.stringify(tuple.map((part) => (part === null ? null : String(part.value)))));
  return tuples;
}

type Row = readonly (string | null)[];

interface CountRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly counts: (row: Row) => boolean;
}

async function countRows(warehouse: Reading, { table, columns, counts }: CountRows): Promise<Counts> {
  let rows = 0;
  let counted = 0;
  for await (const batch of warehouse.read(table, { columns: [...new Set(columns)] })) {
    const vectors = columns.map((column) => batch.getChild(column));
    for (let row = 0; row < batch.numRows; row++) {
      rows += 1;
      if (counts(vectors.map((vector) => textOf(vector?.get(row))))) counted += 1;
    }
  }
  return { rows, counted };
}

/** A value as literals write it, for the types that ids have. */
function textOf(value: unknown): string | null {
  if (value == null) return null;
  if (!(value instanceof Uint8Array)) return String(value);
  const hex = Buffer.from(value).toString('hex');
  return value.length === 16 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : hex;
}
