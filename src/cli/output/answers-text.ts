import type { ProbeAnswer } from '../../erasure/index.ts';
import { count } from './numbers.ts';
import { textTable } from './text-table.ts';

/** What the probes of a plan counted. */
export function answersText(answers: readonly ProbeAnswer[]): string {
  if (answers.length === 0) return '\nNo review asks anything.\n';
  return `\n${textTable(
    [
      { title: 'table' },
      { title: 'asked' },
      { title: 'counted', align: 'right' },
      { title: 'of rows', align: 'right' },
    ],
    answers.map(({ table, asks, rows, counted }) => [table, asks, count(counted), count(rows)]),
  )}`;
}
