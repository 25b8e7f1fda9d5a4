import { LetheError } from '../../errors.ts';
import type { ClearColumn, Governance } from '../../governance/governance.ts';
import type { TableDescription, Warehouse } from '../../warehouse/warehouse.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { StepRefusal } from '../refusal.ts';

/** Whether the job changes the table of a step at all: rows that are kept whole, and decided ones, stay as they are. */
export function isTouched(step: Step): boolean {
  if (step.action === 'ignore' || step.action === 'review') return false;
  return (step.action !== 'keep' && step.action !== 'clear') || step.clear.length > 0;
}

/**
 * What in the tables stops a job (rule E2): all tables, before the first change. `away` are tables that may be missing,
 * because this job was killed while their own job was rebuilding them. A branch or tag that a decision drops stops nothing.
 */
export async function tableRefusals(options: {
  readonly plan: Plan;
  readonly warehouse: Pick<Warehouse, 'describe'> & Partial<Pick<Warehouse, 'storageRefusals'>>;
  readonly away?: (table: string) => boolean;
  readonly decisions?: Governance['decisions'];
  /** How the name of a branch or tag is shown: it can be a person's. */
  readonly shown?: (ref: string) => string;
}): Promise<readonly StepRefusal[]> {
  const { plan, warehouse, away = () => false, decisions, shown = (ref) => ref } = options;
  const refusals: StepRefusal[] = [];
  for (const step of plan.steps.filter((each) => isTouched(each) || each.action === 'review')) {
    const description = await describeOrNull(warehouse, step.table);
    if (description === null) {
      if (!away(step.table)) refusals.push(missing(step.table));
      continue;
    }
    const drops = (ref: string): boolean =>
      decisions?.get(step.table)?.some(({ refs }) => refs.get(ref) === 'drop') === true;
    for (const { code, reason, remedy, ref } of description.refusals) {
      if (ref !== undefined && drops(ref)) continue;
      const show = (text: string): string =>
        ref === undefined ? text : text.replaceAll(ref, () => shown(ref));
      refusals.push({ table: step.table, code, reason: show(reason), remedy: show(remedy) });
    }
    refusals.push(...step.clear.flatMap((each) => clearRefusals(description, each)));
    // Rule E5: what a lock keeps would outlive the erasure. A place that the storage does not take would end it half-way.
    for (const { code, reason, remedy } of (await warehouse.storageRefusals?.(step.table)) ?? []) {
      refusals.push({ table: step.table, code, reason, remedy });
    }
  }
  return refusals;
}

/** Null where the warehouse has no such table. */
export async function describeOrNull(
  warehouse: Pick<Warehouse, 'describe'>,
  table: string,
): Promise<TableDescription | null> {
  try {
    return await warehouse.describe(table);
  } catch (error) {
    if (error instanceof LetheError && error.code === 'warehouse/no-such-table') return null;
    throw error;
  }
}

function clearRefusals(description: TableDescription, clear: ClearColumn): readonly StepRefusal[] {
  const { table } = description;
  const column = description.columns.find((each) => each.name === clear.column);
  const refuse = (code: string, reason: string, remedy: string): readonly StepRefusal[] => [
    { table, code, reason, remedy },
  ];
  if (column === undefined) {
    return refuse(
      'missing-column',
      `${clear.column} is to be cleared, and the table has no such column`,
      'Correct the governance files',
    );
  }
  if (description.partitionColumns.includes(clear.column) || description.sortColumns.includes(clear.column)) {
    return refuse(
      'structural-column',
      `${clear.column} is to be cleared, and a partition or the sort order is made from it`,
      'Change the partitioning or the sort order first, or delete the rows',
    );
  }
  if (clear.with.kind === 'null' && column.required) {
    return refuse(
      'required-column',
      `${clear.column} is to be cleared, and must not be null`,
      `Say what takes its place: { column = "${clear.column}", with = "redacted" }`,
    );
  }
  if (clear.with.kind === 'constant' && column.type !== 'string') {
    return refuse(
      'constant-type',
      `${clear.column} is to be cleared with a text, and is a ${column.type}`,
      'Clear it to null, or make the column optional first',
    );
  }
  if (clear.with.kind === 'token') {
    return refuse(
      'token',
      `${clear.column} is to be cleared with a keyed token, and there is no key for one`,
      'Clear it to null or a constant',
    );
  }
  return [];
}

function missing(table: string): StepRefusal {
  return {
    table,
    code: 'missing-table',
    reason: 'the plan names this table, and the warehouse has none of that name',
    remedy: 'Make the plan again from the tables as they are now',
  };
}
