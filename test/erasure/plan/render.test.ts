import { expect, test } from 'vitest';
import { explain, isSamePlan, planDiff, planText } from '../../../src/erasure/plan/index.ts';
import type { JobRun } from '../../support/openlineage.ts';
import { platformPlan } from './render/plans.ts';

test('L9: a plan prints as text that fits 100 columns', async () => {
  const { plan } = await platformPlan();
  const text = planText(plan);
  for (const { table } of plan.steps) expect(text).toContain(`\n${table}: `);
  expect(text.split('\n').filter((line) => [...line].length > 100)).toEqual([]);
  expect(text).toMatch(/^Erasure of a learner: 10 tables/);
});

test('L9: a plan is JSON in and out', async () => {
  const { plan } = await platformPlan();
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
});

test('L5h: a step is explained edge by edge, with the job, the run and the time', async () => {
  const { plan, lineage } = await platformPlan();
  const explanation = explain(plan, lineage, 'ai.review_corpus')!;
  expect(explanation.step.action).toBe('delete');
  expect(explanation.paths.map((path) => path.map(({ from, to }) => `${from} -> ${to}`))).toEqual([
    ['crm.learners.learner_id -> ai.review_corpus.*'],
    ['learning.reviews.review_id -> ai.review_corpus.review_id'],
  ]);
  expect(explanation.paths[1]![0]).toMatchObject({
    roles: ['identity'],
    job: 'test review_corpus',
    run: 'review_corpus-0',
    at: '2026-09-01T00:01:00.000000Z',
  });
  expect(explain(plan, lineage, 'no.table')).toBeNull();
});

test('two plans differ by what a new pipeline adds', async () => {
  const { plan: before } = await platformPlan();
  const run: JobRun = {
    job: 'exports',
    output: 'mart.export',
    columns: { who: ['marketing.audience.learner_id'], mail: ['marketing.audience.email'] },
  };
  const { plan: after } = await platformPlan([run], { 'mart.export': 'who mail:string', 'mart.loose': 'x' });
  const diff = planDiff(before, after);
  expect(diff.added.map(({ table, action }) => `${action} ${table}`)).toEqual(['delete mart.export']);
  expect([diff.removed, diff.changed]).toEqual([[], []]);
  expect(diff.gaps).toEqual({ opened: ['mart.loose'], closed: [] });
  expect(isSamePlan(planDiff(before, before))).toBe(true);
  const back = planDiff(after, before);
  expect(back.removed.map(({ table }) => table)).toEqual(['mart.export']);
  expect(back.gaps.closed).toEqual(['mart.loose']);
});
