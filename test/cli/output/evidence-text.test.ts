import { expect, test } from 'vitest';
import { evidenceText } from '../../../src/cli/output/evidence-text.ts';
import type { Evidence } from '../../../src/erasure/index.ts';

const EVIDENCE: Evidence = {
  ...{ schemaVersion: 1, request: 'erasure-0001', subject: 'learner', day: '2026-10-01', minAge: '72h' },
  ...{ planDigest: 'a', planSince: null, dryRun: false, finishedAt: null, searched: { ids: 1, texts: 0 } },
  ...{ register: [], tables: [], elsewhere: [], young: [], mentions: [], copies: [], recipients: [] },
  totals: { rows: 0, filesRead: 1, filesHolding: 0, notProven: 0, filesShared: 0 },
  ...{ digest: 'd', previous: null },
};

const textOf = (evidence: Evidence): string =>
  evidenceText(evidence, { folder: '/evidence', root: null }).replaceAll('\n', ' ');

test('tells what came into the plan of a job that had begun, what is gone, and what to run', () => {
  const text = textOf({ ...EVIDENCE, planSince: { digest: 'b', added: ['crm.copy'], gone: ['crm.old'] } });
  expect(text).toContain('crm.copy came into it, and was looked into, not changed');
  expect(text).toContain('under a new request');
  expect(text).toContain('Not there any more when this request ended: crm.old');
});

test('shows evidence from before that was written down', () => {
  const { planSince: _, ...earlier } = EVIDENCE;
  for (const evidence of [EVIDENCE, earlier as Evidence])
    expect(textOf(evidence)).not.toMatch(/came into|Not there/);
});
