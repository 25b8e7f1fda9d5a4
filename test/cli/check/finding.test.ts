import { expect, test } from 'vitest';
import { planFindings } from '../../../src/cli/check/finding.ts';
import { planRefusals } from '../../../src/erasure/job/check-plan.ts';
import { governanceOf } from '../../support/governance-of.ts';
import { planOf } from '../../support/plan-of.ts';

test('check and the job call what nobody accounts for by the same codes, so that a decision answers both', () => {
  const plan = {
    ...planOf([]),
    unaccounted: [
      { name: 'crm.legacy', kind: 'table', why: 'no job makes it' },
      { name: 'bi dashboard', kind: 'run', why: 'it read crm.learners and names no output' },
    ],
  } as const;
  const refused = planRefusals({ plan, governance: governanceOf(), jobs: {}, day: '2026-10-01' });
  const findings = planFindings(plan);
  expect(findings.map(({ code }) => code)).toEqual(refused.map(({ code }) => code));
  expect(findings.map(({ table, message }) => [table, message])).toEqual([
    ['crm.legacy', 'no job makes it'],
    [null, 'bi dashboard: it read crm.learners and names no output'],
  ]);
});
