import { expect, test } from 'vitest';
import { planDiff, planDiffMarkdown } from '../../../../src/erasure/plan/index.ts';
import type { JobRun } from '../../../support/openlineage.ts';
import { hostilePlan, platformPlan } from './plans.ts';

test('two plans differ in a comment for a pull request: a line for each table, and a diagram around them', async () => {
  const before = await platformPlan();
  const run: JobRun = {
    job: 'exports',
    output: 'mart.export',
    columns: { who: ['marketing.audience.learner_id'], mail: ['marketing.audience.email'] },
  };
  const after = await platformPlan([run], { 'mart.export': 'who mail:string', 'mart.loose': 'x' });
  const text = planDiffMarkdown(planDiff(before.plan, after.plan), after.plan, after.lineage);
  expect(text).toMatch(/^### Erasure of a learner: 1 added, 0 changed, 0 removed\n/);
  expect(text).toMatch(/^\| added \| <code>mart&#46;export<\/code> \| delete by who/m);
  expect(text).toContain('- nobody accounts for <code>mart&#46;loose</code>');
  const diagram = /```mermaid\n([\s\S]*)```/.exec(text)![1]!;
  expect([...diagram.matchAll(/<b>(.*?)<\/b>/g)].map((match) => match[1])).toEqual([
    'marketing.audience',
    'mart.export',
  ]);
  const same = planDiffMarkdown(planDiff(before.plan, before.plan), before.plan, before.lineage);
  expect(same).toBe('**Erasure of a learner:** the plan has not changed.\n');
});

test('no name in a comment becomes markup, a cell, a mention or a fence', async () => {
  const before = await platformPlan();
  const after = await hostilePlan();
  const [comment] = planDiffMarkdown(planDiff(before.plan, after.plan), after.plan, after.lineage).split(
    '```mermaid',
  );
  const rows = comment!.split('\n').filter((line) => line.startsWith('| added'));
  expect(rows).toHaveLength(after.plan.steps.length - before.plan.steps.length);
  for (const row of rows) {
    expect(row.match(/\|/g)).toHaveLength(5);
    expect(row.replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>`"'[\]@$*_~:.]/);
  }
});
