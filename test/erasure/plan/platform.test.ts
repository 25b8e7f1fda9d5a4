import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Plan, planErasure, type Step } from '../../../src/erasure/plan/index.ts';
import { loadGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { chapterText, printedCount } from '../../support/chapter.ts';
import { platformEvents, platformTables } from './platform.ts';

const governance = await loadGovernance(join(import.meta.dirname, '../../../governance'));

async function plan(): Promise<Plan> {
  const lineage = await readLineage({ from: [platformEvents()], names: governance.names });
  return planErasure({ governance, lineage, tables: platformTables, subject: 'learner' });
}

/** A step as the chapter prints it, without the learner's own values. */
function printed(step: Step): string {
  if (step.action === 'rebuild') return `${step.table}: run ${step.job} again`;
  if (step.action === 'keep')
    return `${step.table}: keep, under an exception, and erase ${step.clear.map(({ column }) => column).join(', ')}`;
  const copy = step.copyOf === null ? '' : `, a copy of ${step.copyOf}`;
  return `${step.table}: ${step.action} where ${step.column}${copy}`;
}

const chapterSteps = chapterText('erasure-plan')
  .split('\n')
  .slice(0, 10)
  .map((line) => line.replace(/ in \[\d+\]/, ''));

test('L8: the chapter’s plan holds on events like those of the example platform', async () => {
  const { steps, unmapped, unaccounted, findings } = await plan();
  expect(steps.map(printed).sort()).toEqual([...chapterSteps].sort());
  expect(steps).toHaveLength(printedCount('erasure-plan', 'tables in the plan'));
  const declared = steps.filter(({ action, copyOf }) => action !== 'rebuild' && copyOf === null);
  expect(declared).toHaveLength(printedCount('erasure-plan', 'tables found by their learner_id column'));
  expect({ unmapped, unaccounted, findings }).toEqual({ unmapped: [], unaccounted: [], findings: [] });
});

test('L5: sources come first, then derived tables in dependency order, and name breaks ties', async () => {
  const { steps } = await plan();
  expect(steps.map(({ table }) => table)).toEqual([
    'billing.payments',
    'crm.learners',
    'learning.enrollments',
    'learning.events',
    'learning.reviews',
    'support.tickets',
    'ai.review_corpus',
    'analytics.course_performance',
    'analytics.learner_activity',
    'marketing.audience',
  ]);
});

test('L5h: each step says why, in one line with its path', async () => {
  const { steps } = await plan();
  const why = Object.fromEntries(steps.map((step) => [step.table, step.why]));
  expect(why['marketing.audience']).toBe(
    'an exact copy of the id: crm.learners.learner_id -> marketing.audience.learner_id (marketing_audience)',
  );
  for (const line of Object.values(why)) expect(line).toMatch(/^[^\n]+$/);
});
