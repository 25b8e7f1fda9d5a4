import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Int64, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { system } from '../../../src/cli/system.ts';
import { type EraseOptions, type Evidence, erase } from '../../../src/erasure/index.ts';
import type { Plan } from '../../../src/erasure/plan/plan.ts';
import type { Governance } from '../../../src/governance/governance.ts';
import { openRegister, type Register } from '../../../src/register/index.ts';
import { localStorage, type Storage } from '../../../src/storage/index.ts';
import { openIceberg, type Warehouse } from '../../../src/warehouse/index.ts';
import { exceptionOf, governanceOf, subjectOf } from '../../support/governance-of.ts';
import { byId, byRowsOf, planOf, stepOf } from '../../support/plan-of.ts';

/** The person of these tests. Each value stands nowhere else, so that a search for it cannot hit by chance. */
export const PERSON = {
  id: 73519824,
  name: 'Quirina Zolotareva',
  email: 'QUIRINA.Z@UNIQUE-POST.EX',
  card: '5555-7777-1212-9876',
  review: 88112233,
} as const;

/** Beginnings and wholes of the person's values, as nothing that is printed or kept may hold them. */
export const VALUES: readonly string[] = [
  String(PERSON.id),
  String(PERSON.review),
  PERSON.name.slice(0, 8),
  PERSON.email.slice(0, 8),
  PERSON.card.slice(0, 9),
];

type Rows = Readonly<Record<string, readonly (number | string | null)[]>>;

/** Longs and texts as an Arrow table. */
export function arrow(columns: Rows): Table {
  return new Table(
    Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [
        name,
        values.some((value) => typeof value === 'number')
          ? vectorFromArray(
              values.map((value) => (value === null ? null : BigInt(value))),
              new Int64(),
            )
          : vectorFromArray(values as (string | null)[], new Utf8()),
      ]),
    ),
  );
}

const TABLES: Readonly<Record<string, { readonly types: readonly string[]; readonly rows: Rows }>> = {
  'crm.learners': {
    types: ['long', 'string', 'string'],
    rows: {
      learner_id: [1, PERSON.id, 2, 3],
      full_name: ['Ada Unruh', PERSON.name, 'Ben Otto', 'Cleo Pohl'],
      email: ['ada@post.ex', PERSON.email, 'zz.ben@post.ex', null],
    },
  },
  'learning.reviews': {
    types: ['long', 'long', 'string'],
    rows: {
      review_id: [10, PERSON.review, 11],
      learner_id: [1, PERSON.id, null],
      comment: ['fine', 'good course', 'nobody wrote this'],
    },
  },
  'support.tickets': { types: ['long', 'string'], rows: { learner_id: [2], message: ['help'] } },
  'billing.payments': {
    types: ['long', 'long', 'string'],
    rows: {
      learner_id: [1, PERSON.id, PERSON.id],
      cents: [100, 200, 300],
      card_number: ['4111-0000', PERSON.card, PERSON.card],
    },
  },
  'analytics.counts': { types: ['string', 'long'], rows: { what: ['learners'], n: [4] } },
  'ai.corpus': {
    types: ['long', 'string'],
    rows: { review_id: [10, PERSON.review], text: ['fine', 'good course'] },
  },
};

export interface Lake {
  readonly dir: string;
  readonly warehouse: Warehouse;
  readonly governance: Governance;
  readonly plan: Plan;
  readonly register: Register;
  readonly jobs: Readonly<Record<string, (given: { readonly warehouse: Warehouse }) => Promise<void>>>;
  /** What `erase` takes besides. */
  readonly folders: { readonly state: string; readonly evidence: string };
}

/** Where a lake's tables are. */
export interface LakePlace {
  readonly path: string;
  readonly storage: Storage;
}

/** A folder beside the lake's own files. */
export function localPlace(dir: string): LakePlace {
  const path = join(dir, 'warehouse');
  return { path, storage: localStorage({ roots: [path] }) };
}

/** Opens the lake in a folder. */
export async function openLake(dir: string, { path, storage }: LakePlace = localPlace(dir)): Promise<Lake> {
  return {
    dir,
    warehouse: await openIceberg({ catalog: { kind: 'directory', path }, storage, ...system }),
    governance: lakeGovernance(),
    plan: lakePlan(),
    register: await openRegister({
      path: join(dir, 'register.ndjson'),
      keys: { k: 'a register key of the tests, 32 b' },
      current: 'k',
    }),
    jobs: { 'analytics.counts': ({ warehouse }) => rebuildCounts(warehouse) },
    folders: { state: join(dir, 'state'), evidence: join(dir, 'evidence') },
  };
}

/** Makes the tables, each in two commits, so that there is history. */
export async function makeLake(dir: string, place?: LakePlace): Promise<Lake> {
  await mkdir(join(dir, 'warehouse'), { recursive: true });
  const lake = await openLake(dir, place);
  for (const [table, { types, rows }] of Object.entries(TABLES)) {
    const columns = Object.keys(rows).map((name, index) => ({ name, type: types[index]! }));
    await lake.warehouse.create(table, { columns });
    await lake.warehouse.append(table, arrow(rows));
  }
  return lake;
}

/** The erasure of the person from a lake, as every test asks for it unless `given` says otherwise. */
export function requestIn(lake: Lake, given: Partial<EraseOptions> = {}): EraseOptions {
  const { warehouse, governance, plan, register, jobs, folders } = lake;
  return {
    ...{ warehouse, governance, register, jobs, ...folders, plan },
    ...{ subject: 'learner', ids: [PERSON.id], request: 'erasure-0001', day: '2026-10-01' },
    ...given,
  } as EraseOptions;
}

/** Erases the person from a lake, or what `given` asks for. */
export function eraseIn(lake: Lake, given: Partial<EraseOptions> = {}): Promise<Evidence> {
  return erase(requestIn(lake, given));
}

/** Every row of the lake as text, table by table, sorted. */
export async function rowsOf(warehouse: Warehouse): Promise<Readonly<Record<string, readonly string[]>>> {
  const all: Record<string, string[]> = {};
  for (const table of await warehouse.list()) {
    const rows: string[] = [];
    for await (const batch of warehouse.read(table)) {
      for (const row of new Table([batch]).toArray())
        rows.push(Object.values(row.toJSON()).map(String).join('|'));
    }
    all[table] = rows.sort();
  }
  return all;
}

/** What must be left, written row by row. */
export const ROWS_LEFT = {
  'ai.corpus': ['10|fine'],
  'analytics.counts': ['learners|3'],
  'billing.payments': ['1|100|4111-0000', `${PERSON.id}|200|null`, `${PERSON.id}|300|null`],
  'crm.learners': ['1|Ada Unruh|ada@post.ex', '2|Ben Otto|zz.ben@post.ex', '3|Cleo Pohl|null'],
  'learning.reviews': ['10|1|fine', '11|null|nobody wrote this'],
  'support.tickets': ['2|help'],
} as const;

/** As the platform's pipeline does: the table is dropped and made again from its source. */
async function rebuildCounts(warehouse: Warehouse): Promise<void> {
  if ((await warehouse.list()).includes('analytics.counts'))
    await warehouse.drop('analytics.counts', { purge: true });
  await warehouse.create('analytics.counts', {
    columns: [
      { name: 'what', type: 'string' },
      { name: 'n', type: 'long' },
    ],
  });
  const n = await warehouse.count('crm.learners');
  await warehouse.append('analytics.counts', arrow({ what: ['learners'], n: [n] }));
}

function lakeGovernance(): Governance {
  const identifying = ['full_name', 'email'].map((column) => ({ table: 'crm.learners', column }));
  return governanceOf({
    subjects: new Map([['learner', subjectOf({ name: 'learner', identifying })]]),
    exceptions: new Map([['billing.payments', exceptionOf('billing.payments', ['card_number'])]]),
  });
}

function lakePlan(): Plan {
  const byLearner = [byId('learner_id')];
  return planOf([
    stepOf({
      table: 'billing.payments',
      action: 'keep',
      match: byLearner,
      clear: [{ column: 'card_number', with: { kind: 'null' } }],
      reason: 'an obligation',
      decidedBy: 'legal team',
    }),
    stepOf({ table: 'crm.learners', action: 'delete', match: byLearner }),
    stepOf({ table: 'learning.reviews', action: 'delete', match: byLearner }),
    stepOf({ table: 'support.tickets', action: 'delete', match: byLearner }),
    stepOf({ table: 'analytics.counts', action: 'rebuild', job: 'counts' }),
    stepOf({ table: 'ai.corpus', action: 'delete', match: [byRowsOf('learning.reviews', 'review_id')] }),
  ]);
}
