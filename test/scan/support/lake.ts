import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DataType,
  DateDay,
  Field,
  Int64,
  List,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll } from 'vitest';
import { system } from '../../../src/cli/system.ts';
import { bindPlan } from '../../../src/erasure/bind.ts';
import type { BoundPlan } from '../../../src/erasure/bound-plan.ts';
import type { Governance } from '../../../src/governance/governance.ts';
import { openIceberg } from '../../../src/warehouse/iceberg/open.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { governanceOf, subjectOf } from '../../support/governance-of.ts';
import { byId, byRowsOf, planOf, stepOf } from '../../support/plan-of.ts';

/** The person of these tests, and where they are. */
export const PERSON = {
  id: 3590,
  email: "Zoë.O'Haase%_@Example.org",
  name: 'Zoë Haase',
  phone: '+49 170 1234567',
  review: 77,
};

export interface Lake {
  readonly warehouse: Warehouse;
  readonly root: string;
  readonly governance: Governance;
  bind(): Promise<BoundPlan>;
}

const TYPES: Readonly<Record<string, () => DataType>> = {
  long: () => new Int64(),
  string: () => new Utf8(),
  date: () => new DateDay(),
};

/** An Arrow table of rows, by Iceberg types. */
export function arrow(
  types: Readonly<Record<string, string>>,
  rows: readonly Readonly<Record<string, unknown>>[],
): Table {
  const columns = Object.entries(types).map(([name, type]) => {
    const values = rows.map((row) => toArrow(row[name], type));
    return [name, vectorFromArray(values, TYPES[type]!())] as const;
  });
  return new Table(Object.fromEntries(columns));
}

function toArrow(value: unknown, type: string): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'long') return BigInt(value as number);
  return type === 'date' ? new Date(`${String(value)}T00:00:00Z`) : value;
}

const TABLES = {
  'crm.learners': { learner_id: 'long', full_name: 'string', email: 'string', phone: 'string', born: 'date' },
  'learning.reviews': { review_id: 'long', learner_id: 'long', text: 'string' },
  'ai.corpus': { review_id: 'long', text: 'string' },
  'billing.payments': { payment_id: 'long', learner_id: 'long', card: 'string' },
  'support.tickets': { ticket_id: 'long', learner_id: 'long', message: 'string' },
} as const;

const ROWS: Readonly<Record<keyof typeof TABLES, readonly Readonly<Record<string, unknown>>[]>> = {
  'crm.learners': [
    { learner_id: 1, full_name: 'Anna Schmidt', email: 'anna@example.org', phone: '1', born: '1990-05-17' },
    {
      learner_id: PERSON.id,
      full_name: PERSON.name,
      email: PERSON.email,
      phone: PERSON.phone,
      born: '1990-05-17',
    },
    { learner_id: 2, full_name: 'Li', email: 'li@example.org', phone: null, born: null },
  ],
  'learning.reviews': [
    { review_id: PERSON.review, learner_id: PERSON.id, text: 'good' },
    { review_id: 78, learner_id: 1, text: 'bad' },
  ],
  'ai.corpus': [
    { review_id: PERSON.review, text: 'good' },
    { review_id: 78, text: 'bad' },
  ],
  'billing.payments': [
    { payment_id: 5, learner_id: PERSON.id, card: '4111-1111-1111-1111' },
    { payment_id: 6, learner_id: 1, card: '5500-0000-0000-0004' },
  ],
  'support.tickets': [
    { ticket_id: 9, learner_id: 1, message: 'hello' },
    { ticket_id: 10, learner_id: null, message: null },
  ],
};

const STEPS = [
  stepOf({ table: 'crm.learners', action: 'delete', match: [byId('learner_id')] }),
  stepOf({ table: 'learning.reviews', action: 'delete', match: [byId('learner_id')] }),
  stepOf({ table: 'support.tickets', action: 'delete', match: [byId('learner_id')] }),
  stepOf({
    table: 'billing.payments',
    action: 'keep',
    match: [byId('learner_id')],
    clear: [{ column: 'card', with: { kind: 'null' } }],
  }),
  stepOf({ table: 'ai.corpus', action: 'delete', match: [byRowsOf('learning.reviews', 'review_id')] }),
];

export interface LakeOptions {
  readonly properties?: Readonly<Record<string, string>>;
  readonly identifying?: readonly string[];
  /** Rows beside the usual ones. */
  readonly more?: Readonly<
    Partial<Record<keyof typeof TABLES, readonly Readonly<Record<string, unknown>>[]>>
  >;
}

/** A small lake of real Iceberg tables in which one person stands, made anew for each test that changes it. */
export async function makeLake(folder: string, options: LakeOptions = {}): Promise<Lake> {
  const root = mkdtempSync(join(folder, 'lake-'));
  const warehouse = await openIceberg({ catalog: { kind: 'directory', path: root }, ...system });
  afterAll(() => warehouse.close());
  for (const [name, types] of Object.entries(TABLES)) {
    const columns = Object.entries(types).map(([column, type]) => ({ name: column, type }));
    await warehouse.create(name, { columns, properties: options.properties ?? {} });
    const rows = [
      ...ROWS[name as keyof typeof TABLES],
      ...(options.more?.[name as keyof typeof TABLES] ?? []),
    ];
    await warehouse.append(name, arrow(types, rows));
  }
  const identifying = (options.identifying ?? ['full_name', 'email', 'phone']).map((column) => ({
    table: 'crm.learners',
    column,
  }));
  const governance = governanceOf({
    subjects: new Map([['learner', subjectOf({ name: 'learner', identifying })]]),
  });
  const plan = planOf(STEPS);
  return {
    warehouse,
    root,
    governance,
    bind: () => bindPlan({ plan, ids: [String(PERSON.id)], warehouse, governance }),
  };
}

/** Text at every depth: a list of structs. */
export function nestedNotes(values: readonly (readonly string[] | null)[]): Table {
  const entry = new Struct([new Field('by', new Utf8(), true)]);
  const type = new List(new Field('element', entry, true));
  const lists = values.map((texts) => texts?.map((by) => ({ by })) ?? null);
  return new Table({ notes: vectorFromArray(lists, type) });
}
