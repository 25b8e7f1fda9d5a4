import { expect, test } from 'vitest';
import { bindPlan, tryBind } from '../../src/erasure/bind.ts';
import type { Step } from '../../src/erasure/plan/plan.ts';
import { InputError, RefusedError } from '../../src/errors.ts';
import type { Literal } from '../../src/values/literal.ts';
import { FakeWarehouse } from '../support/fake-warehouse.ts';
import { governanceOf, subjectOf } from '../support/governance-of.ts';
import { byId, byRowsOf, planOf, stepOf } from '../support/plan-of.ts';

const long = (value: number | bigint): Literal => ({ type: 'long', value: String(value) });
const text = (value: string): Literal => ({ type: 'text', value });

const learners = {
  columns: { learner_id: 'long' },
  rows: [{ learner_id: long(1) }, { learner_id: long(2) }, { learner_id: null }],
};
const reviews = {
  columns: { review_id: 'long', learner_id: 'long' },
  rows: [
    { review_id: long(10), learner_id: long(1) },
    { review_id: long(11), learner_id: long(1) },
    { review_id: long(20), learner_id: long(2) },
  ],
};
const corpus = {
  columns: { review_id: 'int' },
  rows: [
    { review_id: { type: 'int', value: '10' } as const },
    { review_id: { type: 'int', value: '20' } as const },
  ],
};
const deleteBy = (table: string, ...columns: string[]): Step =>
  stepOf({ table, action: 'delete', match: [byId(...columns)] });
const corpusStep = stepOf({
  table: 'ai.corpus',
  action: 'delete',
  match: [byRowsOf('learning.reviews', 'review_id')],
});

async function boundRows(warehouse: FakeWarehouse, given: Omit<Parameters<typeof bindPlan>[0], 'warehouse'>) {
  const bound = await bindPlan({ ...given, warehouse: warehouse.port });
  const counts = bound.steps.map(async ({ step, where }) => [
    step.table,
    await warehouse.count(step.table, where.reveal()),
  ]);
  return Object.fromEntries(await Promise.all(counts));
}

test('L7: ids and bridge values of one request are resolved before anything is deleted', async () => {
  const warehouse = new FakeWarehouse({
    'crm.learners': learners,
    'learning.reviews': reviews,
    'ai.corpus': corpus,
  });
  // The bridge comes first, so that binding must look ahead to the table that it starts from.
  const plan = planOf([
    corpusStep,
    deleteBy('crm.learners', 'learner_id'),
    deleteBy('learning.reviews', 'learner_id'),
  ]);
  expect(await boundRows(warehouse, { plan, ids: ['1'], governance: governanceOf() })).toEqual({
    'crm.learners': 1,
    'learning.reviews': 2,
    'ai.corpus': 1,
  });
  expect(await boundRows(warehouse, { plan, ids: [1, 2n, '2'], governance: governanceOf() })).toEqual({
    'crm.learners': 2,
    'learning.reviews': 3,
    'ai.corpus': 2,
  });
  expect(warehouse.calls).toEqual([]);
});

test('L7: thousands of people are one predicate for each table', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({ learner_id: long(index) }));
  const warehouse = new FakeWarehouse({ 'crm.learners': { columns: { learner_id: 'long' }, rows: many } });
  const plan = planOf([deleteBy('crm.learners', 'learner_id')]);
  const ids = Array.from({ length: 3000 }, (_, index) => index);
  expect(await boundRows(warehouse, { plan, ids, governance: governanceOf() })).toEqual({
    'crm.learners': 3000,
  });
});

test('L6: a bridge value in a row of someone else, or of nobody, is refused', async () => {
  for (const other of [long(2), null]) {
    const shared = { ...reviews, rows: [...reviews.rows, { review_id: long(10), learner_id: other }] };
    const warehouse = new FakeWarehouse({ 'learning.reviews': shared, 'ai.corpus': corpus });
    const plan = planOf([deleteBy('learning.reviews', 'learner_id'), corpusStep]);
    const binding = bindPlan({ plan, ids: [1], warehouse: warehouse.port, governance: governanceOf() });
    await expect(binding).rejects.toThrow(RefusedError);
    await expect(binding).rejects.toMatchObject({
      code: 'erasure/shared-bridge',
      data: { tables: [{ table: 'learning.reviews', code: 'shared-bridge' }] },
    });
  }
});

test('L6: two people of one request may share a bridge value', async () => {
  const shared = { ...reviews, rows: [...reviews.rows, { review_id: long(10), learner_id: long(2) }] };
  const warehouse = new FakeWarehouse({ 'learning.reviews': shared, 'ai.corpus': corpus });
  const plan = planOf([deleteBy('learning.reviews', 'learner_id'), corpusStep]);
  expect(await boundRows(warehouse, { plan, ids: [1, 2], governance: governanceOf() })).toMatchObject({
    'ai.corpus': 2,
  });
});

test('an id in a text column is found however it is spelled (hazard 4)', async () => {
  const spelled = ['3590', '003590', ' 3590', '3590.0', '35900', '', 'x'].map((value) => ({
    learner_id: text(value),
  }));
  const warehouse = new FakeWarehouse({ t: { columns: { learner_id: 'string' }, rows: spelled } });
  const plan = planOf([deleteBy('t', 'learner_id')]);
  expect(await boundRows(warehouse, { plan, ids: [3590], governance: governanceOf() })).toEqual({ t: 4 });
});

test('the parts of a composite id belong together (hazard 5)', async () => {
  const rows = [
    ['north', 7],
    ['north', 8],
    ['south', 7],
  ].map(([tenant, nr]) => ({ tenant: text(String(tenant)), nr: long(Number(nr)) }));
  const warehouse = new FakeWarehouse({ t: { columns: { tenant: 'string', nr: 'long' }, rows } });
  const learner = subjectOf({ name: 'learner', idType: 'text', idColumns: [['tenant', 'nr']] });
  const governance = governanceOf({ subjects: new Map([['learner', learner]]) });
  const plan = planOf([deleteBy('t', 'tenant', 'nr')]);
  expect(await boundRows(warehouse, { plan, ids: [['north', '7']], governance })).toEqual({ t: 1 });
  expect(
    await boundRows(warehouse, {
      plan,
      ids: [
        ['north', '7'],
        ['south', '7'],
      ],
      governance,
    }),
  ).toEqual({ t: 2 });
  await expect(
    bindPlan({ plan, ids: ['north'], warehouse: warehouse.port, governance }),
  ).rejects.toMatchObject({
    code: 'erasure/id-parts',
  });
});

test.each([
  ['an id that is no long', ['alexa@post.ex'], 'erasure/id-type'],
  ['an id past 64 bits', ['9223372036854775808'], 'erasure/id-type'],
  ['no id at all', [], 'erasure/no-ids'],
])('%s is an error that shows no id', async (_, ids, code) => {
  const warehouse = new FakeWarehouse({ 'crm.learners': learners });
  const plan = planOf([deleteBy('crm.learners', 'learner_id')]);
  const error = await bindPlan({ plan, ids, warehouse: warehouse.port, governance: governanceOf() }).catch(
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(InputError);
  expect(error.code).toBe(code);
  for (const id of ids) expect(error.message + JSON.stringify(error.data)).not.toContain(id);
});

test.each([
  ['int', '2147483648', 'long'],
  ['date', '7', 'long'],
  ['double', '9007199254740993', 'long'],
  ['long', '007', 'text'],
] as const)('a column of type %s cannot hold the id, so the table is refused', async (type, id, idType) => {
  const warehouse = new FakeWarehouse({ t: { columns: { learner_id: type }, rows: [] } });
  const governance = governanceOf({
    subjects: new Map([['learner', subjectOf({ name: 'learner', idType })]]),
  });
  const plan = planOf([deleteBy('t', 'learner_id')]);
  const error = await bindPlan({ plan, ids: [id], warehouse: warehouse.port, governance }).catch(
    (thrown) => thrown,
  );
  expect(error).toMatchObject({
    code: 'erasure/id-type',
    data: { tables: [{ table: 't', code: 'id-type' }] },
  });
  expect(error.message).not.toContain(id);
});

test('what stands in the way is collected for all tables at once', async () => {
  const warehouse = new FakeWarehouse({
    'crm.learners': learners,
    'learning.reviews': { ...reviews, rows: [{ review_id: null, learner_id: long(1) }] },
    'ai.corpus': corpus,
  });
  const plan = planOf([
    deleteBy('crm.learners', 'customer_id'),
    deleteBy('crm.gone', 'learner_id'),
    deleteBy('learning.reviews', 'learner_id'),
    corpusStep,
    stepOf({ table: 'a', action: 'delete', match: [byRowsOf('b', 'x')] }),
  ]);
  const { refusals, bound } = await tryBind({
    plan,
    ids: [1],
    warehouse: warehouse.port,
    governance: governanceOf(),
  });
  expect(refusals.map(({ table, code }) => `${table} ${code}`)).toEqual([
    'crm.learners missing-column',
    'crm.gone missing-table',
    'learning.reviews null-bridge',
    'a missing-table',
  ]);
  expect(bound.steps).toHaveLength(5);
});

test('a plan whose bridges run in a circle is refused, not followed for ever', async () => {
  const table = { columns: { x: 'long' }, rows: [] };
  const warehouse = new FakeWarehouse({ a: table, b: table });
  const plan = planOf([
    stepOf({ table: 'a', action: 'delete', match: [byRowsOf('b', 'x')] }),
    stepOf({ table: 'b', action: 'delete', match: [byRowsOf('a', 'x')] }),
  ]);
  await expect(
    bindPlan({ plan, ids: [1], warehouse: warehouse.port, governance: governanceOf() }),
  ).rejects.toMatchObject({ code: 'erasure/bridge-cycle' });
});

test('printing or serialising a bound plan shows nothing of the person', async () => {
  const warehouse = new FakeWarehouse({
    'crm.learners': { ...learners, rows: [{ learner_id: long(918273645) }] },
  });
  const plan = planOf([deleteBy('crm.learners', 'learner_id')]);
  const bound = await bindPlan({
    plan,
    ids: [918273645],
    warehouse: warehouse.port,
    governance: governanceOf(),
  });
  expect(JSON.stringify(bound)).not.toContain('918273645');
});

test('a kind of subject that nobody declared is named', async () => {
  const warehouse = new FakeWarehouse({});
  await expect(
    bindPlan({
      plan: planOf([], { subject: 'driver' }),
      ids: [1],
      warehouse: warehouse.port,
      governance: governanceOf(),
    }),
  ).rejects.toMatchObject({ code: 'erasure/no-such-subject', data: { subject: 'driver' } });
});
