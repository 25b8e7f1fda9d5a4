import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Data,
  Field,
  Int64,
  makeVector,
  Struct,
  Table,
  tableFromArrays,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Governance } from '../../src/governance/governance.ts';
import { erasedRows, filterErased, openRegister, type Register, reapply } from '../../src/register/index.ts';
import type { Literal } from '../../src/values/literal.ts';
import { type FakeTable, FakeWarehouse } from '../support/fake-warehouse.ts';
import { exceptionOf, governanceOf, subjectOf } from '../support/governance-of.ts';
import { byId, byRowsOf, planOf, stepOf } from '../support/plan-of.ts';

const long = (value: number): Literal => ({ type: 'long', value: String(value) });
const text = (value: string): Literal => ({ type: 'text', value });

let dir: string;
let register: Register;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-check-'));
  register = await openRegister({
    path: join(dir, 'register.ndjson'),
    keys: { k: 'a register key of the tests, 32 b' },
    current: 'k',
  });
  const day = '2026-10-01';
  await register.add([
    { request: 'erasure-0001', subject: 'learner', id: ['3590'], state: 'closed', day },
    { request: 'erasure-0002', subject: 'learner', id: ['4998'], state: 'open', day },
    { request: 'erasure-0003', subject: 'member', id: ['north', '7'], state: 'closed', day },
  ]);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

function byLearner(ids: readonly (number | null)[], more: Record<string, Literal> = {}): FakeTable {
  const columns = Object.fromEntries(Object.entries(more).map(([name]) => [name, 'string']));
  return {
    columns: { learner_id: 'long', ...columns },
    rows: ids.map((id) => ({ learner_id: id === null ? null : long(id), ...more })),
  };
}

test('G2: rows of erased people are counted in every table with an id column, by request', async () => {
  const warehouse = new FakeWarehouse({
    'crm.learners': byLearner([1, 3590, 2]),
    'learning.events': byLearner([3590, 3590, 4998, 5, null]),
    'learning.courses': { columns: { course_id: 'long' }, rows: [{ course_id: long(3590) }] },
  });
  expect(await erasedRows(register, { warehouse: warehouse.port, governance: governanceOf() })).toEqual({
    tables: [
      { table: 'crm.learners', rows: 1, requests: ['erasure-0001'], notIds: 0 },
      { table: 'learning.events', rows: 3, requests: ['erasure-0001', 'erasure-0002'], notIds: 0 },
    ],
    total: 4,
  });
});

test('G1: a text id meets the long of the register, and what is no id is counted', async () => {
  const rows = ['3590', '003590', 'x', '', '35900'].map((value) => ({ learner_id: text(value) }));
  const warehouse = new FakeWarehouse({ t: { columns: { learner_id: 'string' }, rows } });
  const { tables } = await erasedRows(register, { warehouse: warehouse.port, governance: governanceOf() });
  expect(tables).toEqual([{ table: 't', rows: 2, requests: ['erasure-0001'], notIds: 2 }]);
});

test('G2: rows that an exception keeps are left out, until a cleared column is filled again', async () => {
  const kept = byLearner([3590, 3590]);
  const governance = governanceOf({
    exceptions: new Map([
      ['billing.payments', exceptionOf('billing.payments', ['card_number'], { covers: ['billing.copy'] })],
    ]),
  });
  const cleared: FakeTable = {
    columns: { learner_id: 'long', card_number: 'string' },
    rows: kept.rows.map((row) => ({ ...row, card_number: null })),
  };
  const warehouse = new FakeWarehouse({ 'billing.payments': cleared, 'billing.copy': kept });
  const look = { warehouse: warehouse.port, governance };
  expect((await erasedRows(register, look)).total).toBe(0);
  warehouse.load('billing.payments', [{ learner_id: long(3590), card_number: text('4111') }]);
  expect((await erasedRows(register, look)).tables).toEqual([
    { table: 'billing.payments', rows: 1, requests: ['erasure-0001'], notIds: 0 },
  ]);
});

test('G2: an id under another name is found through metadata or the plan', async () => {
  const at = { file: 'test', line: 1, column: 1 };
  const renamed: FakeTable = { columns: { who: 'long' }, rows: [{ who: long(3590) }] };
  const warehouse = new FakeWarehouse({ a: renamed, b: renamed, c: renamed });
  const identifies = { classification: 'internal', identifies: 'learner', at } as const;
  const governance: Governance = governanceOf({
    metadata: new Map([['a', { table: 'a', key: [], columns: new Map([['who', identifies]]), at }]]),
  });
  const plan = planOf([stepOf({ table: 'b', action: 'delete', match: [byId('who')] })]);
  const { tables } = await erasedRows(register, { warehouse: warehouse.port, governance, plans: [plan] });
  expect(tables.map(({ table, rows }) => [table, rows])).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
});

test('G2: a table that people decided to leave alone is looked at for nobody', async () => {
  const warehouse = new FakeWarehouse({ a: byLearner([3590]), b: byLearner([3590]) });
  const plan = planOf([stepOf({ table: 'b', action: 'ignore', match: [] })]);
  const look = { warehouse: warehouse.port, governance: governanceOf(), plans: [plan] };
  expect((await erasedRows(register, look)).tables.map(({ table }) => table)).toEqual(['a']);
  expect((await reapply({ register, ...look })).tables.map(({ table }) => table)).toEqual(['a']);
});

test('G5: each distinct id is asked for once, and composite ids go together (hazard 5)', async () => {
  const member = subjectOf({ name: 'member', idType: 'text', idColumns: [['tenant', 'nr']] });
  const governance = governanceOf({ subjects: new Map([['member', member]]) });
  const rows = [
    { tenant: text('north'), nr: text('7') },
    { tenant: text('north'), nr: text('7') },
    { tenant: text('south'), nr: text('7') },
    { tenant: text('north'), nr: null },
  ];
  const warehouse = new FakeWarehouse({ t: { columns: { tenant: 'string', nr: 'string' }, rows } });
  let yielded = 0;
  const port = warehouse.port;
  const distinct = port.distinct.bind(port);
  port.distinct = async function* (...args) {
    for await (const tuple of distinct(...args)) {
      yielded += 1;
      yield tuple;
    }
  };
  expect((await erasedRows(register, { warehouse: port, governance })).total).toBe(2);
  expect(yielded).toBe(3);
});

test('G2: a load loses the rows of erased people, and says how many', async () => {
  const load = tableFromArrays({
    learner_id: BigInt64Array.from([1n, 3590n, 2n, 4998n, 3590n, 3n]),
    note: ['a', 'b', 'c', 'd', 'e', 'f'],
  });
  const subject = subjectOf({ name: 'learner' });
  const filtered = await filterErased(register, load, { subject });
  expect(filtered.table.toArray().map((row) => row.note)).toEqual(['a', 'c', 'f']);
  expect(filtered.table.schema.toString()).toBe(load.schema.toString());
  expect(filtered).toMatchObject({ dropped: 3, notIds: 0, requests: ['erasure-0001', 'erasure-0002'] });
  const clean = await filterErased(register, filtered.table, { subject });
  expect(clean.dropped).toBe(0);
  expect(clean.table.numRows).toBe(3);
});

test('G2: text, doubles, nulls and dictionaries in a load are read as ids', async () => {
  const subject = subjectOf({ name: 'learner' });
  const load = (values: unknown[]) => new Table({ learner_id: vectorFromArray(values) });
  expect(await filterErased(register, load(['3590', null, '7', 'x']), { subject })).toMatchObject({
    dropped: 1,
    notIds: 1,
  });
  expect(await filterErased(register, load([3590, 7.5, null]), { subject })).toMatchObject({
    dropped: 1,
    notIds: 1,
  });
});

test('G2: a load in which the person stands under a nested or second id column loses them too', async () => {
  const subject = subjectOf({ name: 'learner' });
  const ids = makeVector(BigInt64Array.from([3590n, 1n, 2n]));
  const type = new Struct([new Field('id', new Int64(), true)]);
  const struct = new Data(type, 0, 3, 0, {}, [ids.data[0]!]);
  const load = new Table({
    person: makeVector(struct),
    parent: makeVector(BigInt64Array.from([1n, 4998n, 2n])),
  });
  const filtered = await filterErased(register, load, { subject, columns: ['person.id', 'parent'] });
  expect(filtered).toMatchObject({ dropped: 2 });
});

test('a load without its id column does not pass as checked', async () => {
  const load = tableFromArrays({ email: ['x'] });
  await expect(
    filterErased(register, load, { subject: subjectOf({ name: 'learner' }) }),
  ).rejects.toMatchObject({
    code: 'register/no-id-column',
  });
});

test('G2: after a restore, reapply deletes what came back, clears what is kept, and names what to rebuild', async () => {
  const card = { card_number: text('4111') };
  const warehouse = new FakeWarehouse({
    'crm.learners': byLearner([1, 3590]),
    'learning.reviews': {
      columns: { learner_id: 'long', review_id: 'long' },
      rows: [
        { learner_id: long(3590), review_id: long(9) },
        { learner_id: long(1), review_id: long(8) },
      ],
    },
    'ai.corpus': { columns: { review_id: 'long' }, rows: [{ review_id: long(9) }, { review_id: long(8) }] },
    'billing.payments': byLearner([3590, 1], card),
    'other.copy': byLearner([3590, 1]),
  });
  const governance = governanceOf({
    exceptions: new Map([['billing.payments', exceptionOf('billing.payments', ['card_number'])]]),
  });
  const plan = planOf([
    stepOf({ table: 'crm.learners', action: 'delete', match: [byId('learner_id')] }),
    stepOf({ table: 'learning.reviews', action: 'delete', match: [byId('learner_id')] }),
    stepOf({
      table: 'billing.payments',
      action: 'keep',
      match: [byId('learner_id')],
      clear: exceptionOf('x', ['card_number']).eraseColumns,
    }),
    stepOf({ table: 'ai.corpus', action: 'delete', match: [byRowsOf('learning.reviews', 'review_id')] }),
    stepOf({ table: 'analytics.sums', action: 'rebuild' }),
  ]);
  const done = await reapply({ register, warehouse: warehouse.port, governance, plans: [plan] });
  expect(
    Object.fromEntries(done.tables.map(({ table, rows, rowsCleared }) => [table, [rows, rowsCleared]])),
  ).toEqual({
    'crm.learners': [1, 0],
    'learning.reviews': [1, 0],
    'billing.payments': [0, 1],
    'ai.corpus': [1, 0],
    'other.copy': [1, 0],
  });
  expect(done).toMatchObject({ requests: ['erasure-0001'], rebuild: ['analytics.sums'] });
  expect((await erasedRows(register, { warehouse: warehouse.port, governance, plans: [plan] })).total).toBe(
    0,
  );
  expect(warehouse.rows('billing.payments').map((row) => row.card_number)).toEqual([null, text('4111')]);
  const before = warehouse.calls.length;
  expect((await reapply({ register, warehouse: warehouse.port, governance, plans: [plan] })).tables).toEqual(
    [],
  );
  expect(warehouse.calls.length).toBe(before);
});

test('G2: reapply finds people of two kinds in one table, with a plan for one of them, both, or none', async () => {
  const member = subjectOf({ name: 'member', idType: 'text', idColumns: [['tenant', 'nr']] });
  const subjects = new Map([...governanceOf().subjects, ['member', member]]);
  const governance = governanceOf({ subjects });
  const byLearners = planOf([stepOf({ table: 't', action: 'delete', match: [byId('learner_id')] })]);
  const byMembers = planOf(
    [stepOf({ table: 't', action: 'delete', match: [{ ...byId('tenant'), columns: ['tenant', 'nr'] }] })],
    { subject: 'member' },
  );
  for (const plans of [[byLearners], [byLearners, byMembers], []]) {
    const row = (id: number, tenant: string) => ({
      learner_id: long(id),
      tenant: text(tenant),
      nr: text('7'),
    });
    const warehouse = new FakeWarehouse({
      t: {
        columns: { learner_id: 'long', tenant: 'string', nr: 'string' },
        rows: [row(3590, 'south'), row(1, 'north'), row(1, 'south')],
      },
    });
    const { tables, requests } = await reapply({ register, warehouse: warehouse.port, governance, plans });
    expect(tables).toEqual([{ table: 't', rows: 2, rowsCleared: 0 }]);
    expect(requests).toEqual(['erasure-0001', 'erasure-0003']);
    expect(warehouse.rows('t')).toEqual([row(1, 'south')]);
  }
});

test('reapply begins with no age that every file would have', async () => {
  const warehouse = new FakeWarehouse({});
  await expect(
    reapply({ register, warehouse: warehouse.port, governance: governanceOf(), minAgeMs: Number.NaN }),
  ).rejects.toMatchObject({ code: 'governance/min-age', kind: 'input' });
});

test('reapply refuses before the first change, naming every table', async () => {
  const refusals = [{ code: 'gc-disabled', reason: 'off', remedy: 'Ask' }];
  const warehouse = new FakeWarehouse({ a: byLearner([3590]), b: { ...byLearner([3590]), refusals } });
  await expect(
    reapply({ register, warehouse: warehouse.port, governance: governanceOf() }),
  ).rejects.toMatchObject({
    code: 'register/reapply-refused',
    data: { tables: [{ table: 'b', code: 'gc-disabled' }] },
  });
  expect(warehouse.calls).toEqual([]);
});
