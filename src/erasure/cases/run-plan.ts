import type { Plan } from '../plan/plan.ts';
import type { CaseFailure, ExpectedStep, PlanCase } from './case.ts';

/** Compares the steps that the case names; the plan may have others. */
export function runPlanCase(one: PlanCase, plan: Plan): CaseFailure[] {
  return one.steps.flatMap(({ value, at }) => {
    const message = difference(value, plan);
    return message === null ? [] : [{ ...at, message }];
  });
}

function difference(expected: ExpectedStep, plan: Plan): string | null {
  const step = plan.steps.find(({ table }) => table === expected.table);
  if (expected.action === 'none')
    return step === undefined ? null : `the plan has ${step.table}: ${step.action}`;
  if (step === undefined) return `the plan has no step for ${expected.table}`;
  if (step.action !== expected.action)
    return `${step.table} is ${step.action}, not ${expected.action}: ${step.why}`;
  if (expected.column !== undefined && step.column !== expected.column) {
    return `${step.table} is matched by ${step.column ?? 'no column'}, not ${expected.column}`;
  }
  if (expected.copyOf !== undefined && step.copyOf !== expected.copyOf) {
    return `${step.table}'s key is a copy of ${step.copyOf ?? 'nothing'}, not ${expected.copyOf}`;
  }
  return null;
}
