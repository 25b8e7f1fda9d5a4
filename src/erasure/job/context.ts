import { FailedError } from '../../errors.ts';
import type { CommitNote } from '../../warehouse/warehouse.ts';
import type { BoundStep } from '../bound-plan.ts';
import { isTouched } from './check-tables.ts';
import type { Journal } from './journal.ts';
import type { NamedFiles } from './named-files.ts';
import type { EraseOptions } from './options.ts';
import type { PlanSince } from './plan-since.ts';
import type { Secrets } from './private-state.ts';
import type { Stage } from './progress.ts';

/** What every step of a running job works with. */
export interface JobContext extends Secrets {
  readonly options: EraseOptions;
  readonly journal: Journal;
  readonly named: NamedFiles;
  readonly minAgeMs: number;
  readonly since: PlanSince;
}

/** What the commits of a job record: the request, and nothing of the person (rule E3). */
export function noteOf({ options }: JobContext): CommitNote {
  return { 'erasure-request': options.request };
}

/** The steps that change something, in the plan's order: sources first. */
export function touchedSteps({ bound, since }: Pick<JobContext, 'bound' | 'since'>): readonly BoundStep[] {
  return bound.steps.filter(({ step }) => isTouched(step) && !since.gone.has(step.table));
}

/**
 * Goes through the tables of one stage, tells how far it is (rule E9), and stops between two tables where the caller asked
 * for it. Throws `erasure/stopped`.
 */
export async function eachTable(
  { options }: Pick<JobContext, 'options'>,
  stage: Stage,
  work: { readonly steps: readonly BoundStep[]; readonly use: (step: BoundStep) => Promise<TableDone> },
): Promise<void> {
  const { progress, signal } = options;
  progress?.({ kind: 'stage', stage });
  for (const [index, step] of work.steps.entries()) {
    if (signal?.aborted === true) throw stopped(stage);
    const { table } = step.step;
    progress?.({ kind: 'table', stage, table, index: index + 1, of: work.steps.length });
    // Outside the call: arguments of an optional call are not evaluated where nobody listens.
    const done = await work.use(step);
    progress?.({ kind: 'done', stage, table, ...done });
  }
}

/** What a stage did to a table, for who watches. */
export interface TableDone {
  readonly rows?: number;
  readonly files?: number;
}

function stopped(stage: Stage): FailedError {
  return new FailedError('erasure/stopped', `The erasure was stopped at ${stage}, part-way`, {
    remedy: 'Start the same request again: it goes on from there',
    data: { stage },
  });
}
