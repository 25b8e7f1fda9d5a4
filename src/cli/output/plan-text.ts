import type { Plan, Step } from '../../erasure/plan/index.ts';
import { counted } from './numbers.ts';
import { printableLines } from './printable.ts';
import { textTable } from './text-table.ts';

/** A plan as text: one row for each table, then what stands in the way. */
export function planText({ subject, digest, steps, unmapped, unaccounted, findings }: Plan): string {
  return (
    printableLines([`Erasing a ${subject}: ${counted(steps.length, 'table')}`, `plan ${digest}`, '']) +
    textTable(
      [{ title: 'table' }, { title: 'action' }, { title: 'by' }, { title: 'why' }],
      steps.map((step) => [step.table, step.action, byOf(step), step.why]),
    ) +
    printableLines([
      ...steps.flatMap(({ table, causes, probe }) => [
        ...causes.map(({ code, what }) => `${table}: review, ${code}: ${what}`),
        ...probe.map(({ asks, sql }) => `${table}: ${asks} ${sql}`),
      ]),
      ...unmapped.map(({ namespace, name }) => `${namespace} ${name} maps to no table`),
      ...unaccounted.map(({ name, why }) => `${name}: ${why}`),
      ...findings.map(({ table, what }) => (table === null ? what : `${table}: ${what}`)),
    ])
  );
}

function byOf({ column, copyOf, clear, job }: Step): string {
  if (job !== null) return job;
  const cleared = clear.length === 0 ? '' : `, clearing ${clear.map((each) => each.column).join(', ')}`;
  return `${column ?? ''}${copyOf === null ? '' : `, a copy of ${copyOf}`}${cleared}`;
}
