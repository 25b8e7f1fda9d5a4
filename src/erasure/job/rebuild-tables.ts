import { FailedError, LetheError } from '../../errors.ts';
import type { BoundStep } from '../bound-plan.ts';
import { recordBefore } from './change-rows.ts';
import { describeOrNull } from './check-tables.ts';
import { eachTable, type JobContext, type TableDone, touchedSteps } from './context.ts';

/**
 * Runs the jobs of the tables that the person's rows only shaped, after their sources are erased and in dependency order
 * (hazard 12). A job that left its table as it was has rebuilt nothing and fails the erasure.
 */
export async function rebuildTables(
  context: JobContext,
  { again }: { readonly again: boolean },
): Promise<void> {
  const steps = touchedSteps(context).filter(
    ({ step }) => step.action === 'rebuild' && (again || !context.journal.isRebuilt(step.table)),
  );
  await eachTable(context, 'rebuild', { steps, use: (step) => rebuild(context, step) });
}

async function rebuild(context: JobContext, { step }: BoundStep): Promise<TableDone> {
  const { options, journal } = context;
  const { table } = step;
  const there = await describeOrNull(options.warehouse, table);
  if (there !== null) {
    await recordBefore(context, table);
    await context.named.remember(table);
  }
  await runJob(options, table);
  const made = await describeOrNull(options.warehouse, table);
  if (made === null || (there !== null && made.currentSnapshotId === there.currentSnapshotId)) {
    throw new FailedError(
      'erasure/not-rebuilt',
      `The job of ${table} ran and left the table ${made === null ? 'away' : 'as it was'}`,
      {
        remedy: 'Mend the job so that it replaces the table, then start the same request again',
        data: { table, job: step.job },
      },
    );
  }
  await journal.add({ kind: 'rebuilt', table });
  return {};
}

async function runJob({ jobs, warehouse, signal }: JobContext['options'], table: string): Promise<void> {
  try {
    await jobs![table]!({ warehouse, signal: signal ?? new AbortController().signal });
  } catch (cause) {
    if (cause instanceof LetheError) throw cause;
    // What a job throws may quote a row: it stands in `cause` only, which is not shown.
    throw new FailedError('erasure/rebuild-failed', `The job of ${table} failed`, {
      remedy: 'Mend the job, then start the same request again: it goes on from there',
      data: { table },
      cause,
    });
  }
}
