import type { Place } from '../../errors.ts';
import type { Governance } from '../../governance/governance.ts';
import { nearest } from '../../values/nearest.ts';
import type { Plan } from '../plan/plan.ts';
import type { Case, CaseFailure } from './case.ts';
import { runConsentCase } from './run-consent.ts';
import { runPlanCase } from './run-plan.ts';
import { runRetentionCase } from './run-retention.ts';

/** How one case ended. */
export interface CaseResult {
  readonly kind: Case['kind'];
  readonly name: string;
  readonly at: Place;
  readonly passed: boolean;
  /** Why it could not be run; null where it was. A case that was not run has not passed. */
  readonly notRun: string | null;
  readonly failures: readonly CaseFailure[];
}

/** What cases run against. */
export interface RunCasesOptions {
  readonly governance: Governance;
  readonly cases: readonly Case[];
  /** Plans the erasure of a kind of subject; plan cases are not run without it. */
  readonly plan?: (subject: string) => Plan | Promise<Plan>;
}

/**
 * Runs policy cases against governance (and lineage, by `plan`), all of them, in order. A case that names a table, purpose or
 * subject which is not declared fails at its line.
 */
export async function runCases({ governance, cases, plan }: RunCasesOptions): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of cases) results.push(await runCase(one, governance, plan));
  return results;
}

async function runCase(
  one: Case,
  governance: Governance,
  plan: RunCasesOptions['plan'],
): Promise<CaseResult> {
  switch (one.kind) {
    case 'retention': {
      const rules = governance.retention.get(one.table);
      if (rules === undefined) return undeclared(one, one.table, governance.retention.keys());
      return ended(one, runRetentionCase(one, rules));
    }
    case 'consent': {
      const purpose = governance.purposes.get(one.purpose);
      if (purpose === undefined) return undeclared(one, one.purpose, governance.purposes.keys());
      return ended(one, runConsentCase(one));
    }
    case 'plan': {
      if (!governance.subjects.has(one.subject))
        return undeclared(one, one.subject, governance.subjects.keys());
      if (plan === undefined)
        return { ...ended(one, []), passed: false, notRun: 'there is no lineage to plan from' };
      return ended(one, runPlanCase(one, await plan(one.subject)));
    }
  }
}

function ended(one: Case, failures: readonly CaseFailure[]): CaseResult {
  const { kind, name, at } = one;
  return { kind, name, at, passed: failures.length === 0, notRun: null, failures };
}

function undeclared(one: Case, name: string, known: Iterable<string>): CaseResult {
  const near = nearest(name, known);
  const meant = near === null ? '' : `; did you mean ${near}?`;
  return ended(one, [{ ...one.at, message: `${name} is not declared in the governance files${meant}` }]);
}
