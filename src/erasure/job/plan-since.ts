import { RefusedError } from '../../errors.ts';
import { planDiff } from '../plan/index.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { JournalStart } from './journal.ts';
import type { EraseOptions } from './options.ts';
import { planOf } from './prepare.ts';

/** What became of the plan that a job began with; it is carried out as it was. */
export interface PlanSince {
  /** The plan by now. */
  readonly now: Plan;
  /** Steps that the job does not have: it only looks into their tables. */
  readonly added: readonly Step[];
  /** Tables of the job's plan that were taken out of the warehouse: there is nothing to change in them. */
  readonly gone: ReadonlySet<string>;
}

/** For a job that begins. */
export function unchanged(plan: Plan): PlanSince {
  return { now: plan, added: [], gone: new Set() };
}

/**
 * Compares the plan that a job began with and the one by now (rule E4). Tables that came or went in between stop nothing: rows that
 * were found then are still theirs. Where a table is there and another thing is to be done with it by now, to go on could delete what
 * somebody has decided to keep since.
 *
 * @throws RefusedError `erasure/plan-changed`
 */
export async function planSince(options: EraseOptions, start: JournalStart): Promise<PlanSince> {
  const { plan } = start;
  const there = new Set(await options.warehouse.list());
  const missing = plan.steps.filter(({ table }) => !there.has(table));
  // While a rebuild has its table away, no other plan can be made to compare.
  const now = missing.some(({ action }) => action === 'rebuild')
    ? plan
    : await planOf(options, options.warehouse);
  const diff = planDiff(plan, now);
  // A job that ran in between may be told of in other words; what is done must be the same.
  const changed = [
    ...diff.removed.filter(({ table }) => there.has(table)),
    ...diff.changed.map(({ after }) => after),
  ];
  const gone = missing.filter(({ action }) => action !== 'rebuild').map(({ table }) => table);
  if (changed.length === 0) return { now, added: diff.added, gone: new Set(gone) };
  const tables = changed.map(({ table }) => table);
  throw new RefusedError(
    'erasure/plan-changed',
    `${start.request} began with another plan for ${tables.join(', ')}`,
    {
      remedy:
        'Put the governance files and the lineage of these tables back as they were then, finish it, and erase again under a new request with those of now; code can pass the plan that its journal holds',
      data: { request: start.request, began: plan.digest, now: now.digest, changed: tables, gaps: diff.gaps },
    },
  );
}
