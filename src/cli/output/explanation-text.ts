import type { Explanation, PlanDiff } from '../../erasure/index.ts';
import { printableLines } from './printable.ts';

/** Why a table is in the plan: each path, edge by edge, with what recorded it. */
export function explanationText({ step, paths }: Explanation): string {
  return printableLines([
    `${step.table}: ${step.action}, ${step.why}`,
    ...paths.flatMap((path) => [
      '',
      ...path.flatMap(({ from, to, roles, job, run, at, event }) => {
        const place = event === null ? null : `${event.file}:${event.line}`;
        const recorded = [job, run === null ? null : `run ${run}`, at, place].filter((part) => part !== null);
        return [`  ${from} -> ${to} (${roles.join(', ')})`, `    by ${recorded.join(', ')}`];
      }),
    ]),
  ]);
}

/** What changed between two plans: what a new pipeline adds to every erasure from now on. */
export function diffText({ added, removed, changed, gaps }: PlanDiff): string {
  const lines = [
    ...added.map(({ table, action, why }) => `+ ${table}: ${action}, ${why}`),
    ...removed.map(({ table, action }) => `- ${table}: ${action}`),
    ...changed.map(
      ({ before, after }) => `~ ${after.table}: ${before.action} became ${after.action}, ${after.why}`,
    ),
    ...gaps.opened.map((gap) => `+ nobody accounts for ${gap}`),
    ...gaps.closed.map((gap) => `- ${gap} is accounted for`),
  ];
  return printableLines(lines.length === 0 ? ['The plan has not changed.'] : lines);
}
