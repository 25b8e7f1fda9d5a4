import type { Lineage } from '../../../lineage/index.ts';
import type { PlanDiff } from '../diff.ts';
import type { Plan, Step } from '../plan.ts';
import { planMermaid } from './mermaid.ts';
import { stepText } from './step-text.ts';
import { visible } from './visible.ts';

/**
 * What changed between two plans, as a comment on the pull request that changes it: a line for each table, and a diagram of
 * those tables and what is next to them. `plan` is the newer one.
 */
export function planDiffMarkdown(diff: PlanDiff, plan: Plan, lineage: Lineage): string {
  const { subject, added, removed, changed, gaps } = diff;
  const rows = [
    ...added.map((step) => row('added', step, text(step.why))),
    ...changed.map(({ before, after }) => row('changed', after, `was: ${text(stepText(before))}`)),
    ...removed.map((step) => row('removed', step, 'no longer reached')),
  ];
  const open = [
    ...gaps.opened.map((gap) => `- nobody accounts for ${name(gap)}`),
    ...gaps.closed.map((gap) => `- accounted for now: ${name(gap)}`),
  ];
  if (rows.length === 0 && open.length === 0)
    return `**Erasure of a ${text(subject)}:** the plan has not changed.\n`;
  const touched = [...added, ...changed.map(({ after }) => after)].map(({ table }) => table);
  return [
    `### Erasure of a ${text(subject)}: ${counted(added.length, 'added')}, ${counted(changed.length, 'changed')}, ${counted(removed.length, 'removed')}`,
    ...(rows.length === 0 ? [] : ['', '| | table | what is done | why |', '|---|---|---|---|', ...rows]),
    ...(open.length === 0 ? [] : ['', ...open]),
    ...(touched.length === 0
      ? []
      : ['', '```mermaid', planMermaid(plan, lineage, { around: touched }).trimEnd(), '```']),
    '',
  ].join('\n');
}

function row(what: string, step: Step, why: string): string {
  return `| ${what} | ${name(step.table)} | ${text(stepText(step))} | ${why} |`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}`;
}

function name(value: string): string {
  return `<code>${text(value)}</code>`;
}

/**
 * Text of events in Markdown: every sign by its number, so that nothing becomes markup, a link or a cell; a sign that would
 * name a person or an issue is parted from what follows.
 */
function text(value: string): string {
  return visible(value).replace(/[^\p{L}\p{N} ,;()-]/gu, (char) => {
    const code = `&#${char.codePointAt(0)!};`;
    return char === '@' || char === '#' ? `${code}&#8203;` : code;
  });
}
