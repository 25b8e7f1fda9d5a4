import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type EraseOptions, ErasureRefused, isClean } from '../../../src/erasure/index.ts';
import type { Step } from '../../../src/erasure/plan/plan.ts';
import { byId, byRowsOf, planOf, stepOf } from '../../support/plan-of.ts';
import { arrow, eraseIn, PERSON, ROWS_LEFT, rowsOf } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const lake = lakeOfEachTest();

/** Stops the job as it comes to a stage. */
async function stoppedAt(stage: string): Promise<void> {
  const stop = new AbortController();
  const erasing = eraseIn(lake, {
    signal: stop.signal,
    progress: (event) => event.kind === 'stage' && event.stage === stage && stop.abort(),
  });
  await expect(erasing).rejects.toMatchObject({ code: 'erasure/stopped', data: { stage } });
}

/** The request again, with another plan by now. */
const again = (steps: readonly Step[], given: Partial<EraseOptions> = {}) =>
  eraseIn(lake, { plan: planOf(steps), ...given });

async function states(request: string): Promise<readonly string[]> {
  const entries = await lake.register.entries();
  return entries.filter((entry) => entry.request === request).map(({ state }) => state);
}

test('E4: a table that came into the plan is looked into by its own columns, erased by a new request, and then the first one ends', async () => {
  await stoppedAt('scrub');
  await lake.warehouse.create('crm.mailing', { columns: [{ name: 'recipient', type: 'long' }] });
  await lake.warehouse.append('crm.mailing', arrow({ recipient: [PERSON.id, 2] }));
  const steps = [
    ...lake.plan.steps,
    stepOf({ table: 'crm.mailing', action: 'delete', match: [byId('recipient')] }),
  ];
  const first = await again(steps);
  expect(first).toMatchObject({
    planDigest: lake.plan.digest,
    planSince: { digest: planOf(steps).digest, added: ['crm.mailing'], gone: [] },
    totals: { rows: 3 },
  });
  expect(first.elsewhere.find(({ table }) => table === 'crm.mailing')!.filesHolding).toBeGreaterThan(0);
  expect(isClean(first)).toBe(false);
  expect(await rowsOf(lake.warehouse)).toEqual({ ...ROWS_LEFT, 'crm.mailing': ['2', `${PERSON.id}`] });
  expect(await states('erasure-0001')).toEqual(['open']);

  expect(isClean(await again(steps, { request: 'erasure-0002' }))).toBe(true);
  expect(isClean(await again(steps))).toBe(true);
  expect(await rowsOf(lake.warehouse)).toEqual({ ...ROWS_LEFT, 'crm.mailing': ['2'] });
  expect(await states('erasure-0001')).toEqual(['open', 'closed']);
  expect(await readdir(lake.folders.state)).toEqual([]);
});

test('E4: in a table that came into the plan a value is found whose rows the job had deleted before', async () => {
  await stoppedAt('sweep');
  await lake.warehouse.create('ai.answers', { columns: [{ name: 'about', type: 'long' }] });
  await lake.warehouse.append('ai.answers', arrow({ about: [PERSON.review, 10] }));
  const match = [{ ...byRowsOf('learning.reviews', 'review_id'), columns: ['about'] }];
  const steps = [...lake.plan.steps, stepOf({ table: 'ai.answers', action: 'delete', match })];
  const { elsewhere } = await again(steps);
  expect(elsewhere.find(({ table }) => table === 'ai.answers')!.filesHolding).toBeGreaterThan(0);
  await lake.warehouse.drop('ai.answers', { purge: true });
  expect(isClean(await again(lake.plan.steps))).toBe(true);
});

test('E4: ids in a table that came under an exception are expected there', async () => {
  await stoppedAt('scrub');
  await lake.warehouse.create('billing.invoices', { columns: [{ name: 'learner_id', type: 'long' }] });
  await lake.warehouse.append('billing.invoices', arrow({ learner_id: [PERSON.id] }));
  const kept = stepOf({ table: 'billing.invoices', action: 'keep', match: [byId('learner_id')] });
  const evidence = await again([
    ...lake.plan.steps,
    { ...kept, reason: 'an obligation', decidedBy: 'legal' },
  ]);
  expect(evidence.planSince?.added).toEqual(['billing.invoices']);
  expect(isClean(evidence)).toBe(true);
});

test('E4: a table that is no longer there stops no job that had begun', async () => {
  await stoppedAt('delete');
  await lake.warehouse.drop('support.tickets', { purge: true });
  const evidence = await again(lake.plan.steps.filter(({ table }) => table !== 'support.tickets'));
  expect(evidence.planSince).toMatchObject({ added: [], gone: ['support.tickets'] });
  expect(isClean(evidence)).toBe(true);
  const { 'support.tickets': _, ...left } = ROWS_LEFT;
  expect(await rowsOf(lake.warehouse)).toEqual(left);
  expect(await readdir(lake.folders.state)).toEqual([]);
});

test.each(['keep', 'ignore', 'review'] as const)(
  'E4: what somebody decided to %s since is not deleted by the plan from before',
  async (action) => {
    await stoppedAt('delete');
    const before = await rowsOf(lake.warehouse);
    const steps = lake.plan.steps.map((step) => (step.table === 'crm.learners' ? { ...step, action } : step));
    await expect(again(steps)).rejects.toMatchObject({
      code: 'erasure/plan-changed',
      kind: 'refused',
      data: { changed: ['crm.learners'] },
    });
    expect(await rowsOf(lake.warehouse)).toEqual(before);
    expect(isClean(await again(lake.plan.steps))).toBe(true);
  },
);

test('E2: where nobody can look into what came, the job goes no further until somebody accounts for it', async () => {
  await stoppedAt('scrub');
  const gap = { unaccounted: [{ name: 'crm.copy', kind: 'table' as const, why: 'no job makes it' }] };
  const unsure = stepOf({
    table: 'support.tickets2',
    action: 'review',
    causes: [{ code: 'cast-key', what: 'x' }],
  });
  const plan = planOf([...lake.plan.steps, unsure], gap);
  const refusal = await eraseIn(lake, { plan }).catch((error) => error);
  expect(refusal).toBeInstanceOf(ErasureRefused);
  expect(refusal).toMatchObject({
    begun: true,
    tables: [
      { table: 'support.tickets2', code: 'cast-key' },
      { table: 'crm.copy', code: 'unaccounted' },
    ],
  });
  expect(refusal.message).not.toContain('nothing was changed');
  expect(isClean(await eraseIn(lake))).toBe(true);
});
