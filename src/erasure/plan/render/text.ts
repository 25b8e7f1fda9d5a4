import { counted } from '../../../values/counted.ts';
import type { Plan, Step } from '../plan.ts';
import { planNotes } from './notes.ts';
import { openQuestions, stepText } from './step-text.ts';
import { visible } from './visible.ts';

const WIDTH = 100;

/**
 * A plan as plain text that fits 100 columns (rule L9). A plan made from lineage that is not whole says so on its first line.
 * Characters that could move a terminal's cursor are shown by their numbers.
 */
export function planText(plan: Plan): string {
  const open = openQuestions(plan);
  const head = `Erasure of a ${plan.subject}: ${counted(plan.steps.length, 'table')}, plan ${plan.digest.slice(0, 12)}`;
  const lines = [
    ...(open.length === 0 ? [] : wrapped(`Not ready: ${open.join('; ')}`, 0)),
    head,
    '',
    ...plan.steps.flatMap(stepLines),
    ...planNotes(plan).flatMap(({ title, lines }) => [
      '',
      `${title}:`,
      ...lines.flatMap((line) => wrapped(`  ${line}`, 4)),
    ]),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

function stepLines(step: Step): readonly string[] {
  return [
    ...wrapped(`${step.table}: ${stepText(step)}`, 4),
    ...wrapped(`    ${step.why}`, 4),
    ...(step.reason === null ? [] : wrapped(`    reason: ${step.reason} (${step.decidedBy})`, 4)),
    ...step.causes.flatMap(({ code, what }) => wrapped(`    ${code}: ${what}`, 6)),
    ...step.probe.flatMap(({ asks, sql }) => wrapped(`    ask for ${asks}: ${sql}`, 6)),
  ];
}

/** Breaks a line at spaces, or in a word that is too long; what follows is indented. */
function wrapped(text: string, indent: number): readonly string[] {
  const lines: string[] = [];
  let rest = visible(text);
  while (rest.length > WIDTH) {
    const space = rest.lastIndexOf(' ', WIDTH);
    const at = space > indent + 8 ? space : WIDTH;
    lines.push(rest.slice(0, at).trimEnd());
    rest = ' '.repeat(indent) + rest.slice(at).trimStart();
  }
  return [...lines, rest];
}
