import type { Plan, Step } from './plan.ts';

/** What changed between two plans for the same kind of subject: what a new pipeline adds to every erasure from now on. */
export interface PlanDiff {
  readonly subject: string;
  readonly added: readonly Step[];
  readonly removed: readonly Step[];
  readonly changed: readonly { readonly before: Step; readonly after: Step }[];
  /** Datasets and tables that nobody accounts for, by name. */
  readonly gaps: { readonly opened: readonly string[]; readonly closed: readonly string[] };
}

/** Compares two plans table by table. Paths and reasons in words do not count: what is done does. */
export function planDiff(before: Plan, after: Plan): PlanDiff {
  const old = new Map(before.steps.map((step) => [step.table, step]));
  const now = new Map(after.steps.map((step) => [step.table, step]));
  const [gapsBefore, gapsAfter] = [gapsOf(before), gapsOf(after)];
  return {
    subject: after.subject,
    added: after.steps.filter(({ table }) => !old.has(table)),
    removed: before.steps.filter(({ table }) => !now.has(table)),
    changed: after.steps.flatMap((step) => {
      const known = old.get(step.table);
      return known !== undefined && doing(known) !== doing(step) ? [{ before: known, after: step }] : [];
    }),
    gaps: {
      opened: gapsAfter.filter((gap) => !gapsBefore.includes(gap)),
      closed: gapsBefore.filter((gap) => !gapsAfter.includes(gap)),
    },
  };
}

/** Whether nothing changed. */
export function isSamePlan({ added, removed, changed, gaps }: PlanDiff): boolean {
  return [added, removed, changed, gaps.opened, gaps.closed].every((list) => list.length === 0);
}

function doing({ action, match, clear, clearBy, job, causes }: Step): string {
  return JSON.stringify({ action, match, clear, clearBy, job, causes: causes.map(({ code }) => code) });
}

function gapsOf({ unmapped, unaccounted }: Plan): readonly string[] {
  return [
    ...unmapped.map(({ namespace, name }) => `${namespace} ${name}`),
    ...unaccounted.map(({ name }) => name),
  ];
}
