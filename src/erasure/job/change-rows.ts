import { and } from '../../predicate/index.ts';
import { notTrue } from '../../predicate/not-true.ts';
import type { Predicate } from '../../predicate/predicate.ts';
import type { RowWork, TableDescription } from '../../warehouse/warehouse.ts';
import type { BoundStep } from '../bound-plan.ts';
import { notYetCleared } from '../cleared.ts';
import { eachTable, type JobContext, noteOf, type TableDone, touchedSteps } from './context.ts';

/** Deletes the person's rows, sources first, one rewrite of each table for all people of the request (rule L7). */
export function deleteRows(context: JobContext): Promise<void> {
  const steps = touchedSteps(context).filter(({ step }) => step.action === 'delete');
  return eachTable(context, 'delete', { steps, use: (step) => changeTable(context, step) });
}

/** Clears columns in rows that stay: those that an exception keeps, and those that a decision clears. */
export function clearColumns(context: JobContext): Promise<void> {
  const steps = touchedSteps(context).filter(({ step }) => step.action === 'keep' || step.action === 'clear');
  return eachTable(context, 'clear', { steps, use: (step) => changeTable(context, step) });
}

/** The work on the rows of one table: the person's, and in rows that stay only what is not cleared yet. */
export function workOf(bound: BoundStep): RowWork {
  const { step, where } = bound;
  return {
    ...(step.action === 'delete' && { delete: where.reveal() }),
    ...(step.clear.length > 0 && { clear: { where: rowsToClear(bound), columns: step.clear } }),
    physically: true,
  };
}

/** The rows in which a step still has something to clear. */
function rowsToClear({ step, where, clears }: BoundStep): Predicate {
  return and((clears ?? where).reveal(), notYetCleared(step.clear));
}

async function changeTable(context: JobContext, step: BoundStep): Promise<TableDone> {
  const { options, journal } = context;
  const { table } = step.step;
  const resumed = await recordBefore(context, table);
  const lost = resumed && journal.changed(table) === undefined ? await lostChange(context, step) : NOTHING;
  const changed = await options.warehouse.change(table, workOf(step), noteOf(context));
  const rows = changed.rowsDeleted + lost.rows;
  const rowsCleared = changed.rowsCleared + lost.rowsCleared;
  await journal.add({ kind: 'changed', table, rows, rowsCleared });
  return { rows: rows + rowsCleared };
}

/** Writes down the snapshot before the first change, and returns whether an earlier run had done so. */
export async function recordBefore({ options, journal }: JobContext, table: string): Promise<boolean> {
  if (journal.before(table) !== undefined) return true;
  const { currentSnapshotId } = await options.warehouse.describe(table);
  await journal.add({ kind: 'before', table, snapshotId: currentSnapshotId?.toString() ?? null });
  return false;
}

/** Counts the rows that a step deletes and those that stay and that it clears. */
export async function rowsOf(
  step: BoundStep,
  count: (where: Predicate) => Promise<number>,
): Promise<RowCounts> {
  const { delete: deleted, clear } = workOf(step);
  const staying = deleted === undefined ? [] : [notTrue(deleted)];
  return {
    rows: deleted === undefined ? 0 : await count(deleted),
    rowsCleared: clear === undefined ? 0 : await count(and(...staying, clear.where)),
  };
}

interface RowCounts {
  readonly rows: number;
  readonly rowsCleared: number;
}

const NOTHING: RowCounts = { rows: 0, rowsCleared: 0 };

/**
 * What a run did that was killed after its commit and before it could write down how many rows: counted by reading the
 * snapshot before, which is still there, since nothing expires before every table is changed.
 */
async function lostChange(context: JobContext, step: BoundStep): Promise<RowCounts> {
  const { options, journal } = context;
  const { table } = step.step;
  const before = journal.before(table)?.snapshotId ?? null;
  const description = await options.warehouse.describe(table);
  if (before === null || !hasCommitOf(description, options.request)) return NOTHING;
  const fewer = async (where: Predicate): Promise<number> =>
    (await options.warehouse.count(table, where, { snapshotId: before })) -
    (await options.warehouse.count(table, where));
  return rowsOf(step, fewer);
}

function hasCommitOf({ snapshots }: TableDescription, request: string): boolean {
  return snapshots.some((snapshot) => snapshot.summary['erasure-request'] === request);
}
