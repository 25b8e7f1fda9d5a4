import { expect, test } from 'vitest';
import { type EraseOptions, ErasureRefused, isClean } from '../../../src/erasure/index.ts';
import { scan } from '../../../src/scan/index.ts';
import { exceptionOf, governanceOf } from '../../support/governance-of.ts';
import { planOf, stepOf } from '../../support/plan-of.ts';
import { arrow, eraseIn, PERSON, rowsOf } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const lake = lakeOfEachTest();

test('E2: every table that stands in the way is named at once, nothing changes, and the person can still be looked for', async () => {
  const { warehouse } = lake;
  await warehouse.setProperties('crm.learners', { 'gc.enabled': 'false' }, {});
  await warehouse.setProperties('learning.reviews', { 'history.expire.min-snapshots-to-keep': '3' }, {});
  const before = await rowsOf(warehouse);
  const plan = planOf(
    [
      ...lake.plan.steps,
      stepOf({
        table: 'marketing.list',
        action: 'review',
        causes: [{ code: 'cast-key', what: 'the key is cast' }],
      }),
      stepOf({ table: 'analytics.other', action: 'rebuild', job: 'other' }),
    ],
    {
      unmapped: [{ namespace: 's3://lake', name: 'x/y', candidates: [] }],
      unaccounted: [{ name: 'crm.copy', kind: 'table', why: 'no job makes it' }],
    },
  );
  const refusal = await eraseIn(lake, { plan }).catch((error) => error);
  expect(refusal).toBeInstanceOf(ErasureRefused);
  expect(refusal.kind).toBe('refused');
  expect(
    refusal.tables.map(({ table, code }: { table: string; code: string }) => `${table} ${code}`).sort(),
  ).toEqual([
    'analytics.other missing-table',
    'analytics.other no-job',
    'crm.copy unaccounted',
    'crm.learners gc-disabled',
    'learning.reviews keeps-snapshots',
    'marketing.list cast-key',
    'marketing.list missing-table',
    's3://lake x/y unmapped',
  ]);
  for (const { reason, remedy } of refusal.tables) expect(reason.length * remedy.length).toBeGreaterThan(0);
  expect(await rowsOf(warehouse)).toEqual(before);
  expect(await lake.register.entries()).toEqual([]);
  expect(JSON.stringify(refusal)).not.toContain(PERSON.email);
  const report = await scan({ warehouse, traces: refusal.traces });
  expect(report.totals.holding).toBeGreaterThan(3);
});

test('E2: a row of someone else that names the person refuses the job until somebody decides', async () => {
  const { warehouse } = lake;
  await warehouse.append(
    'support.tickets',
    arrow({ learner_id: [2], message: [`Ask ${PERSON.name.toUpperCase()} instead`] }),
  );
  const refusal = await eraseIn(lake).catch((error) => error);
  expect(refusal.tables).toMatchObject([{ table: 'support.tickets', code: 'mentions' }]);
  expect(refusal.mentions).toEqual([{ table: 'support.tickets', column: 'message', rows: 1 }]);
  const decision = {
    ...{ table: 'support.tickets', answers: ['mentions'], action: 'ignore' as const, by: [], columns: [] },
    ...{ refs: new Map(), reason: 'theirs', decidedBy: 'support', at: { file: 't', line: 1, column: 1 } },
  };
  const governance = { ...lake.governance, decisions: new Map([['support.tickets', [decision]]]) };
  const evidence = await eraseIn(lake, { governance });
  expect(evidence.mentions).toEqual([{ table: 'support.tickets', column: 'message', rows: 1 }]);
  // A decision does not make a file clean.
  expect(isClean(evidence)).toBe(false);
});

test.each([
  ['a required column', { required: true }, 'required-column'],
  ['a column that is not there', { column: 'iban' }, 'missing-column'],
  [
    'a text in a column of numbers',
    { column: 'cents', put: { kind: 'constant', value: 'x' } },
    'constant-type',
  ],
  ['a token without a key', { put: { kind: 'token' } }, 'token'],
] as const)('E2: clearing %s is refused before anything changes', async (_, given, code) => {
  const {
    required = false,
    column = 'card_number',
    put = { kind: 'null' },
  } = given as {
    required?: boolean;
    column?: string;
    put?: { kind: 'null' } | { kind: 'token' } | { kind: 'constant'; value: string };
  };
  let table = 'billing.payments';
  if (required) {
    table = 'billing.strict';
    await lake.warehouse.create(table, {
      columns: [
        { name: 'learner_id', type: 'long' },
        { name: 'card_number', type: 'string', required: true },
      ],
    });
  }
  const keep = { ...lake.plan.steps[0]!, table, clear: [{ column, with: put }] };
  const refusal = await eraseIn(lake, { plan: planOf([keep, ...lake.plan.steps.slice(1)]) }).catch(
    (error) => error,
  );
  expect(refusal.tables).toMatchObject([{ table, code }]);
  expect(await lake.register.entries()).toEqual([]);
});

test('a mistyped identifying column stops the job: nobody would miss what was not looked for', async () => {
  const learner = lake.governance.subjects.get('learner')!;
  const identifying = [...learner.identifying, { table: 'crm.learners', column: 'emial' }];
  const governance = {
    ...lake.governance,
    subjects: new Map([...lake.governance.subjects, ['learner', { ...learner, identifying }]]),
  };
  await expect(eraseIn(lake, { governance })).rejects.toMatchObject({
    code: 'governance/tables',
    data: { findings: [{ code: 'no-column', table: 'crm.learners', column: 'emial' }] },
  });
  expect(await lake.register.entries()).toEqual([]);
});

test('an exception that was to be reviewed before this day keeps nothing', async () => {
  const lapsed = exceptionOf('billing.payments', ['card_number'], { reviewBy: '2026-09-30' });
  const governance = { ...lake.governance, exceptions: new Map([['billing.payments', lapsed]]) };
  const refusal = await eraseIn(lake, { governance }).catch((error) => error);
  expect(refusal.tables).toMatchObject([{ table: 'billing.payments', code: 'exception-lapsed' }]);
  expect(isClean(await eraseIn(lake, { governance, day: '2026-09-30' }))).toBe(true);
});

test.each([
  ['a day that is none', { day: '2026-02-30' }, 'values/day'],
  ['an id that is no id', { ids: ['x'] }, 'erasure/id-type'],
  ['a negative age', { minAgeMs: -1 }, 'governance/min-age'],
  ['the plan of another subject', { plan: planOf([], { subject: 'instructor' }) }, 'erasure/other-subject'],
  [
    'a subject nobody declared',
    { governance: governanceOf({ subjects: new Map() }) },
    'erasure/no-such-subject',
  ],
] as const)('%s is an input error, and nothing is begun', async (_, given, code) => {
  await expect(eraseIn(lake, given as Partial<EraseOptions>)).rejects.toMatchObject({ code, kind: 'input' });
  expect(await lake.register.entries()).toEqual([]);
});
