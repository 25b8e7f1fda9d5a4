import type { Plan, Step } from '../../erasure/plan/plan.ts';
import type { ExpectedStep } from './case.ts';

/** How a plan differs from the steps that a case pins: missing tables, tables too many, and steps that are otherwise. */
export function checkPlan(expected: ReadonlyMap<string, ExpectedStep>, plan: Plan): readonly string[] {
  const steps = new Map(plan.steps.map((step) => [step.table, step]));
  return [
    ...[...expected.keys()]
      .filter((table) => !steps.has(table))
      .map((table) => `${table} is not in the plan`),
    ...[...steps.keys()]
      .filter((table) => !expected.has(table))
      .map((table) => `${table} is in the plan too`),
    ...[...expected].flatMap(([table, wanted]) => {
      const step = steps.get(table);
      return step === undefined
        ? []
        : differences(wanted, step).map((difference) => `${table}: ${difference}`);
    }),
  ];
}

function differences(wanted: ExpectedStep, step: Step): readonly string[] {
  const pairs: readonly (readonly [what: string, wanted: string | undefined, found: string | null])[] = [
    ['action', wanted.action, step.action],
    ['column', wanted.column, step.column],
    ['copy_of', wanted.copyOf, step.copyOf],
    ['job', wanted.job, step.job],
    ['clear', wanted.clear?.join(', '), step.clear.map(({ column }) => column).join(', ')],
  ];
  return pairs.flatMap(([what, want, found]) =>
    want === undefined || want === found
      ? []
      : [`${what} is ${found === null || found === '' ? 'nothing' : found}, not ${want}`],
  );
}
