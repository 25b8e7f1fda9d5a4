import type { Governance } from '../../governance/governance.ts';
import type { Mention } from '../../scan/index.ts';
import type { Day } from '../../values/time.ts';
import { UNSURE } from '../plan/incomplete.ts';
import { openGaps } from '../plan/open-gaps.ts';
import type { Plan, PlanFinding, Step } from '../plan/plan.ts';
import type { StepRefusal } from '../refusal.ts';

/** What in the plan itself stops a job (rules E2 and L2b): reviews, gaps in the lineage, rebuilds that nobody can run. */
export function planRefusals(options: {
  readonly plan: Plan;
  readonly governance: Governance;
  readonly jobs: Readonly<Record<string, unknown>>;
  readonly day: Day;
}): readonly StepRefusal[] {
  const { plan, governance, jobs, day } = options;
  return [
    ...plan.findings.flatMap(unsureRefusals),
    ...plan.steps.flatMap(reviewRefusals),
    ...plan.steps.flatMap((step) => lapsedRefusals(step, governance, day)),
    ...plan.steps.flatMap((step) =>
      step.action === 'rebuild' && !Object.hasOwn(jobs, step.table) ? [noJob(step)] : [],
    ),
    ...openGaps(plan).filter((refusal) => !isDecided(governance, refusal)),
  ];
}

/** Rows that the plan leaves and whose text names the person; refused until somebody decided (rule E2). */
export function mentionRefusals(
  governance: Governance,
  mentions: readonly Mention[],
): readonly StepRefusal[] {
  return mentions
    .map(
      ({ table, column, rows }): StepRefusal => ({
        table,
        code: 'mentions',
        reason: `${rows} row(s) that the plan does not delete name the person in ${column}`,
        remedy: `Correct the rows, or decide in [erasure.decisions."${table}"] with answers = ["mentions"]`,
      }),
    )
    .filter((refusal) => !isDecided(governance, refusal));
}

/** A plan that was made from lineage with holes in it, or with two datasets in one table, may miss a copy (rule L2b). */
function unsureRefusals({ code, table, what }: PlanFinding): readonly StepRefusal[] {
  if (!UNSURE.has(code)) return [];
  const remedy =
    code === 'events-skipped'
      ? 'Get the events again, or declare the loss under [[gaps]] in lineage.toml'
      : 'Name each of them under [datasets] in lineage.toml, or ignore the one that is no table there';
  return [{ table: table ?? 'lineage', code, reason: what, remedy }];
}

function reviewRefusals(step: Step): readonly StepRefusal[] {
  if (step.action !== 'review') return [];
  const remedy = `Look with the plan's probe, then decide in [erasure.decisions."${step.table}"]`;
  if (step.causes.length === 0) return [{ table: step.table, code: 'review', reason: step.why, remedy }];
  return step.causes.map(({ code, what }) => ({ table: step.table, code, reason: what, remedy }));
}

/** An exception that nobody has looked at again in time keeps nothing (design section 2). */
function lapsedRefusals(
  { table, action }: Step,
  { exceptions }: Governance,
  day: Day,
): readonly StepRefusal[] {
  const reviewBy = exceptions.get(table)?.reviewBy;
  if (action !== 'keep' || reviewBy === undefined || day <= reviewBy) return [];
  return [
    {
      table,
      code: 'exception-lapsed',
      reason: `the exception that keeps its rows was to be reviewed by ${reviewBy}`,
      remedy: `Let those who decided it review it, and set review_by in [erasure.exceptions."${table}"]`,
    },
  ];
}

function noJob({ table, job }: Step): StepRefusal {
  return {
    table,
    code: 'no-job',
    reason: `it is rebuilt by ${job ?? 'a job'}, and no way to run that was given`,
    remedy: `Pass it in jobs, or name it under [jobs."${job ?? '…'}"] in lethe.toml`,
  };
}

function isDecided(governance: Governance, { table, code }: StepRefusal): boolean {
  const decisions = governance.decisions.get(table) ?? [];
  return decisions.some(({ action, answers }) => action === 'ignore' && answers.includes(code));
}
