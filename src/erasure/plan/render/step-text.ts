import { count, counted } from '../../../values/counted.ts';
import type { Plan, Step } from '../plan.ts';

/** A sign for each action, so that colour is never the only one. */
export const MARKS: Readonly<Record<Step['action'], string>> = {
  delete: '✕',
  rebuild: '↻',
  keep: '✓',
  clear: '⌫',
  review: '?',
  ignore: '–',
};

/** What a step does, in a few words: `delete by learner_id, a copy of crm.learners.learner_id`. */
export function stepText({ action, match, clear, job, causes }: Step): string {
  const by = match.map(({ columns, copyOf }) => {
    const copy = copyOf === null ? '' : `, a copy of ${copyOf}`;
    return `${columns.join(' and ')}${copy}`;
  });
  const cleared = clear.map(({ column }) => column).join(', ');
  switch (action) {
    case 'delete':
      return `delete by ${by.join('; or by ')}${cleared === '' ? '' : `; clear ${cleared} in rows that stay`}`;
    case 'keep':
      return cleared === '' ? 'keep' : `keep, and clear ${cleared}`;
    case 'clear':
      return `clear ${cleared}`;
    case 'rebuild':
      return job === null ? 'rebuild' : `run ${job} again`;
    case 'review':
      return `review: ${[...new Set(causes.map(({ code }) => code))].join(', ')}`;
    case 'ignore':
      return 'nothing';
  }
}

/** What stands between the plan and an erasure, one line each; empty where nothing does. The first line of every rendering. */
export function openQuestions({ steps, unmapped, unaccounted, findings }: Plan): readonly string[] {
  const reviews = steps.filter(({ action }) => action === 'review').length;
  const skipped = findings.find(({ code }) => code === 'events-skipped');
  const shared = findings.filter(({ code }) => code === 'shared-table').length;
  return [
    ...(skipped === undefined ? [] : [`made from incomplete lineage, ${skipped.what}`]),
    ...(reviews > 0
      ? [
          `${count(reviews)} of ${counted(steps.length, 'table')} ${reviews === 1 ? 'needs' : 'need'} a decision`,
        ]
      : []),
    ...(unmapped.length > 0 ? [`${unmapped.length} datasets map to no table`] : []),
    ...(unaccounted.length > 0
      ? [`${counted(unaccounted.length, 'table or job is', 'tables or jobs are')} accounted for by nobody`]
      : []),
    ...(shared > 0 ? [counted(shared, 'table may be two', 'tables may be two each')] : []),
  ];
}

/** The kinds of action with how many tables have each, in the order in which people read them. */
export function actionCounts({ steps }: Plan): readonly (readonly [Step['action'], number])[] {
  const order: readonly Step['action'][] = ['review', 'delete', 'rebuild', 'keep', 'clear', 'ignore'];
  return order
    .map((action) => [action, steps.filter((step) => step.action === action).length] as const)
    .filter(([, count]) => count > 0);
}
