import type { REVIEW_CAUSES } from '../../../src/governance/answers.ts';
import type { JobRun } from '../../support/openlineage.ts';
import type { Planning } from './support.ts';

export type Cell = number | string | null;

/** Tables from outside, and their rows. */
export const SOURCES = {
  'crm.people': 'person_id name:string referrer',
  'app.visits': 'visit_id person_id shop:string',
} as const;
export const ROWS: Readonly<Record<string, readonly (readonly Cell[])[]>> = {
  'crm.people': [
    [1, 'Ada', null],
    [2, 'Ben', 1],
    [3, null, 1],
  ],
  'app.visits': [
    [10, 1, 'north'],
    [11, 2, 'south'],
    [12, null, 'south'],
  ],
};

/** A table that is a review for one cause, its rows, and what a person counts in them. */
export interface ProbeCase {
  readonly code: (typeof REVIEW_CAUSES)[number];
  readonly columns: string;
  readonly run: Partial<JobRun>;
  readonly rows: readonly (readonly Cell[])[];
  /** Beside each row that the answer counts stands a mark in the comment. */
  readonly counted: number;
  readonly asks: string;
  readonly more?: Partial<Planning>;
}

const copied: JobRun['columns'] = { k: ['crm.people.person_id'], name: ['crm.people.name'] };
const keyed = [
  [1, 'Ada'],
  [2, 'Ben'],
] as const;
const unknownKeys = { asks: 'rows whose key is empty or nobody known', counted: 2 } as const;
const withUnknownKeys = [
  ...keyed,
  [null, 'Cy'], // counted: no key
  [9, 'Di'], // counted: nobody's
] as const;

export const CASES: readonly ProbeCase[] = [
  {
    code: 'unknown-edge',
    columns: 'k name:string',
    run: { columns: { k: ['crm.people.person_id'], name: [['crm.people.name', '?']] } },
    rows: withUnknownKeys,
    ...unknownKeys,
  },
  {
    code: 'table-only',
    columns: 'k name:string',
    run: {
      job: 'app.replace_data.mart_t',
      columns: { k: ['crm.people.person_id', 'mart.t.k'], name: ['crm.people.name', 'mart.t.name'] },
      inputs: ['crm.people', 'app.visits', 'mart.t'],
    },
    rows: withUnknownKeys,
    ...unknownKeys,
  },
  {
    code: 'uncovered-source',
    columns: 'k name:string',
    run: { columns: { k: ['crm.people.person_id'], name: ['crm.people.name', 'app.visits.shop'] } },
    rows: withUnknownKeys,
    ...unknownKeys,
  },
  {
    code: 'cast-key',
    columns: 'ref:string',
    run: { columns: { ref: [['crm.people.person_id', 'TRANSFORMATION']] } },
    rows: [
      ['1'], // counted
      ['3'], // counted
      ['03'],
      ['9'],
      [null],
    ],
    asks: 'rows, and how many of them hold an id of the subject as text',
    counted: 2,
  },
  {
    code: 'masked-key',
    columns: 'ref:string',
    run: { columns: { ref: [['crm.people.person_id', 'HASH']] } },
    rows: [
      ['c4ca4238a0b923820dcc509a6f75849b'],
      ['2'], // counted: this one was not hidden
    ],
    asks: 'rows, and how many of them hold an id of the subject as text',
    counted: 1,
  },
  {
    code: 'named-like-a-key',
    columns: 'person_id k',
    run: { columns: { person_id: ['app.visits.visit_id'], k: ['app.visits.person_id'] } },
    rows: [
      [10, 1],
      [2, 2], // counted: a visit's number that is also somebody's id
    ],
    asks: 'rows, and how many of them hold an id of the subject as text',
    counted: 1,
  },
  {
    code: 'two-people',
    columns: 'k r name:string',
    run: { columns: { ...copied, r: ['crm.people.referrer'] } },
    rows: [
      [2, 1, 'Ben'], // counted
      [1, null, 'Ada'], // counted: one key is empty
      [1, 1, 'Ada'],
      [null, null, 'Cy'],
    ],
    asks: 'rows whose keys differ',
    counted: 2,
    more: {
      metadata:
        '[tables."crm.people".columns]\nreferrer = { classification = "internal", identifies = "person" }\n',
    },
  },
  {
    code: 'misaligned',
    columns: 'k shop:string',
    run: {
      columns: { k: ['app.visits.person_id'], shop: ['app.visits.shop'] },
      inputs: ['app.visits', 'app.visits'],
    },
    rows: [
      [1, 'north'],
      [1, 'south'], // counted: the other's shop
      [2, null],
      [null, 'south'], // counted: a value under no key
    ],
    asks: 'rows that hold a value which does not stand under their key in the source',
    counted: 2,
  },
  {
    code: 'incremental',
    columns: 'ref:string',
    run: {
      job: 'app.append_data.mart_t',
      columns: { ref: [['crm.people.person_id', 'HASH']] },
    },
    rows: [['x'], [null]],
    asks: 'rows',
    counted: 2,
  },
  {
    code: 'no-rebuild',
    columns: 'ref:string',
    run: { columns: { ref: [['crm.people.person_id', 'HASH']] } },
    rows: [['x']],
    asks: 'rows',
    counted: 1,
  },
  {
    code: 'derived-from-kept',
    columns: 'k shop:string',
    run: { columns: { k: ['app.visits.person_id'], shop: ['app.visits.shop'] } },
    rows: keyed,
    asks: 'rows',
    counted: 2,
    more: {
      retention: `
[tables."app.visits"]
keep_days = 10
counted_from = "visit_id"
[erasure.exceptions."app.visits"]
reason = "a dispute"
decided_by = "legal team"
erase_columns = []
`,
    },
  },
];
