import { planDigest } from '../../src/erasure/plan/digest.ts';
import type { Match, Plan, Step } from '../../src/erasure/plan/plan.ts';

/** A step with nothing but what is given. */
export function stepOf(given: Partial<Step> & Pick<Step, 'table' | 'action'>): Step {
  const match = given.match ?? [];
  return {
    match,
    column: match[0]?.columns.join(',') ?? null,
    copyOf: match[0]?.copyOf ?? null,
    clear: [],
    job: null,
    reason: null,
    decidedBy: null,
    causes: [],
    probe: [],
    why: 'a test',
    ...given,
  };
}

/** Rows found by the ids of the request. */
export function byId(...columns: readonly string[]): Match {
  return { columns, copyOf: null, values: { from: 'subject' } };
}

/** Rows found by values of the person's rows of another table (a bridge). */
export function byRowsOf(table: string, column: string): Match {
  return {
    columns: [column],
    copyOf: `${table}.${column}`,
    values: { from: 'rows', table, columns: [column] },
  };
}

/** A plan for learners, with its digest. */
export function planOf(steps: readonly Step[], given: Partial<Plan> = {}): Plan {
  const plan: Plan = {
    schemaVersion: 1,
    subject: 'learner',
    digest: '',
    steps,
    unmapped: [],
    unaccounted: [],
    findings: [],
    ...given,
  };
  return { ...plan, digest: planDigest(plan) };
}
