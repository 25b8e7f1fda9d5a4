import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { system } from '../../../src/cli/system.ts';
import { type Evidence, erase, isClean, type Plan } from '../../../src/erasure/index.ts';
import type { Governance, Subject } from '../../../src/governance/governance.ts';
import { erasedRows, openRegister } from '../../../src/register/index.ts';
import { openIceberg, type Warehouse } from '../../../src/warehouse/index.ts';
import { governanceOf, subjectOf } from '../../support/governance-of.ts';
import { byId, planOf, stepOf } from '../../support/plan-of.ts';
import { arrow, rowsOf } from './lake.ts';

let dir: string;
let warehouse: Warehouse;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-ids-'));
  await mkdir(join(dir, 'warehouse'));
  warehouse = await openIceberg({ catalog: { kind: 'directory', path: join(dir, 'warehouse') }, ...system });
});

afterEach(async () => {
  await warehouse.close();
  await rm(dir, { recursive: true, force: true });
});

async function make(
  table: string,
  types: readonly string[],
  rows: Parameters<typeof arrow>[0],
): Promise<void> {
  const columns = Object.keys(rows).map((name, index) => ({ name, type: types[index]! }));
  await warehouse.create(table, { columns });
  await warehouse.append(table, arrow(rows));
}

function governed(subject: Subject): Governance {
  return governanceOf({ subjects: new Map([[subject.name, subject]]) });
}

async function eraseIds(governance: Governance, plan: Plan, ids: readonly unknown[]): Promise<Evidence> {
  const register = await openRegister({
    path: join(dir, 'register.ndjson'),
    keys: { k: 'a register key of the tests, 32 b' },
    current: 'k',
  });
  const evidence = await erase({
    ...{ warehouse, governance, register, plan, subject: 'learner', ids },
    ...{
      request: 'erasure-0001',
      day: '2026-10-01',
      state: join(dir, 'state'),
      evidence: join(dir, 'evidence'),
    },
  });
  expect((await erasedRows(register, { warehouse, governance, plans: [plan] })).total).toBe(0);
  return evidence;
}

test('a composite id is erased as a whole: its parts alone are other people (hazard 5)', async () => {
  await make('crm.people', ['string', 'long', 'string'], {
    tenant: ['north', 'north', 'south', 'north', null],
    nr: [4711, 4712, 4711, null, 4711],
    name: ['Theodora Quast', 'Nils Nimmer', 'Sven Suder', 'Nora Nullt', 'Ole Ohne'],
  });
  const identifying = [{ table: 'crm.people', column: 'name' }];
  const learner = subjectOf({ name: 'learner', idType: 'text', idColumns: [['tenant', 'nr']], identifying });
  const plan = planOf([stepOf({ table: 'crm.people', action: 'delete', match: [byId('tenant', 'nr')] })]);
  const evidence = await eraseIds(governed(learner), plan, [['north', '4711']]);
  expect(isClean(evidence)).toBe(true);
  expect(evidence.totals.rows).toBe(1);
  expect((await rowsOf(warehouse))['crm.people']).toEqual([
    'north|4712|Nils Nimmer',
    'north|null|Nora Nullt',
    'null|4711|Ole Ohne',
    'south|4711|Sven Suder',
  ]);
});

test('an id in text columns is erased in every spelling, and its neighbours stay (hazards 4 and 46)', async () => {
  await make('crm.people', ['long', 'string'], {
    learner_id: [73519824, 73519825],
    name: ['Theodora Quast', 'Nils Nimmer'],
  });
  await make('web.visits', ['string', 'string'], {
    learner_id: ['73519824', '0073519824', ' 73519824', '735198240', '9', null, ''],
    page: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
  });
  const learner = subjectOf({ name: 'learner', identifying: [{ table: 'crm.people', column: 'name' }] });
  const match = [byId('learner_id')];
  const plan = planOf([
    stepOf({ table: 'crm.people', action: 'delete', match }),
    stepOf({ table: 'web.visits', action: 'delete', match }),
  ]);
  const evidence = await eraseIds(governed(learner), plan, ['73519824']);
  expect(isClean(evidence)).toBe(true);
  expect((await rowsOf(warehouse))['web.visits']).toEqual(['735198240|d', '9|e', 'null|f', '|g']);
});

test('S3: a namesake stays, is counted, and fails nothing', async () => {
  await make('crm.people', ['long', 'string', 'string'], {
    learner_id: [73519824, 55443322],
    name: ['Theodora Quast', 'Theodora Quast'],
    email: ['unique.one@post.ex', 'another.one@post.ex'],
  });
  const identifying = ['name', 'email'].map((column) => ({ table: 'crm.people', column }));
  const learner = subjectOf({ name: 'learner', identifying });
  const plan = planOf([stepOf({ table: 'crm.people', action: 'delete', match: [byId('learner_id')] })]);
  const evidence = await eraseIds(governed(learner), plan, [73519824]);
  expect(isClean(evidence)).toBe(true);
  expect(evidence.totals.filesShared).toBeGreaterThan(0);
  expect((await rowsOf(warehouse))['crm.people']).toEqual(['55443322|Theodora Quast|another.one@post.ex']);
});

test('two id columns in one table are both matched (hazards 10 and 35)', async () => {
  await make('crm.referrals', ['long', 'long'], {
    learner_id: [73519824, 55443322, 55443322],
    referred_by: [55443322, 73519824, null],
  });
  const plan = planOf([
    stepOf({ table: 'crm.referrals', action: 'delete', match: [byId('learner_id'), byId('referred_by')] }),
  ]);
  const evidence = await eraseIds(governed(subjectOf({ name: 'learner' })), plan, [73519824]);
  expect(evidence.totals).toMatchObject({ rows: 2, filesHolding: 0 });
  expect((await rowsOf(warehouse))['crm.referrals']).toEqual(['55443322|null']);
});
