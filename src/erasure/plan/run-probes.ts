import type { QualifiedColumn } from '../../governance/governance.ts';
import type { Warehouse } from '../../warehouse/warehouse.ts';
import type { Plan, Question } from './plan.ts';

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
  if (kind === 'rows') {
    const rows = await warehouse.count(table);
    return { rows, counted: rows };
  }
  if (kind === 'differing')
    return countRows(warehouse, { table, columns: question.columns, counts: ([a, b]) => a !== b });
  const known = await Promise.all(
    question.pairs.map(([, place]) => (place === null ? null : valuesOf(warehouse, place))),
  );
  const isKnown = (value: string | null, at: number): boolean =>
    value !== null && (known[at] == null || known[at].has(value));
  return countRows(warehouse, {
    table,
    columns: question.pairs.map(([column]) => column),
    counts: (row) => (kind === 'known' ? row.every(isKnown) : !row.every(isKnown)),
  });
}

async function valuesOf(
  warehouse: Reading,
  { table, column }: QualifiedColumn,
): Promise<ReadonlySet<string>> {
  const values = new Set<string>();
  for await (const [value] of warehouse.distinct(table, [column]))
    if (value != null) values.add(String(value.value));
  return values;
}

interface CountRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly counts: (row: readonly (string | null)[]) => boolean;
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
