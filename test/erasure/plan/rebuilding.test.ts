import { describe, expect, test } from 'vitest';
import type { JobRun } from '../../support/openlineage.ts';
import { PEOPLE, SOURCES, step } from './people.ts';
import { planOf, told } from './support.ts';

test('L5f: a table that the rows only shaped, or that has no exact key, is rebuilt by the job that replaces it', async () => {
  const shaped: JobRun = {
    job: 'shops',
    output: 'mart.t',
    lifecycle: 'OVERWRITE',
    columns: { shop_id: ['app.shops.shop_id'] },
    rows: [
      ['app.visits.shop_id', 'JOIN'],
      ['app.shops.shop_id', 'JOIN'],
    ],
  };
  expect(await step(shaped, 'shop_id')).toBe('rebuild by shops');
  expect(await step({ ...shaped, lifecycle: 'CREATE' }, 'shop_id')).toBe('rebuild by shops');
  const { lifecycle: _, ...unsaid } = shaped;
  expect(await step(unsaid, 'shop_id')).toBe('review no-rebuild');
  const hashed: JobRun = {
    ...shaped,
    columns: { h: [['crm.people.person_id', 'HASH']], name: ['crm.people.name'] },
    rows: [],
  };
  expect(await step(hashed, 'h:string name:string')).toBe('rebuild by shops');
});

test('L5f: a rebuild answers unknown edges and missing facets', async () => {
  const unknown: JobRun = {
    job: 'j',
    output: 'mart.t',
    lifecycle: 'OVERWRITE',
    columns: { k: [['crm.people.person_id', '?']] },
  };
  expect(await step(unknown, 'k')).toBe('rebuild by j');
  expect(
    await step({ job: 'j', output: 'mart.t', lifecycle: 'OVERWRITE', inputs: ['crm.people'] }, 'k'),
  ).toBe('rebuild by j');
});

const CANNOT_REBUILD: readonly (readonly [string, Partial<JobRun>, string])[] = [
  ['it reads itself', { inputs: ['mart.t', 'crm.people'] }, 'incremental'],
  ['it reads a file', { inputs: ['crm.people', 'files/x'] }, 'no-rebuild'],
  ['it only failed so far', { states: ['START', 'FAIL'] }, 'no-rebuild'],
  ['it appends', { job: 'app.append_data.mart_t' }, 'incremental'],
  ['it merges', { sql: 'MERGE INTO mart.t USING x ON 1 = 1' }, 'incremental'],
];

test.each(CANNOT_REBUILD)('L5f: a job cannot rebuild where %s', async (_, change, cause) => {
  const run: JobRun = {
    job: 'j',
    output: 'mart.t',
    lifecycle: 'OVERWRITE',
    columns: { h: [['crm.people.person_id', 'HASH']] },
    ...change,
  };
  expect(await step(run, 'h:string')).toMatch(new RegExp(`^review .*${cause}$`));
});

test('L5f: two jobs that write a table cannot rebuild it one by one; a declared job outranks what events say', async () => {
  const hashed = {
    output: 'mart.t',
    lifecycle: 'OVERWRITE',
    columns: { h: [['crm.people.person_id', 'HASH']] },
  } as const;
  const runs = [
    { job: 'a', ...hashed },
    { job: 'b', ...hashed },
  ] as unknown as readonly JobRun[];
  expect(await step(runs, 'h:string')).toMatch(/no-rebuild$/);
  const jobs = [{ name: 'nightly', makes: ['mart.t'], replaces: 'all' as const }];
  expect(await step(runs, 'h:string', { jobs })).toBe('rebuild by nightly');
  expect(
    await step({ job: 'a', ...hashed } as unknown as JobRun, 'h:string', {
      jobs: [{ ...jobs[0]!, replaces: 'part' }],
    }),
  ).toMatch(/incremental$/);
});

describe('L5f: tables that build each other', () => {
  /** A job that replaces a table of the names in another one, and leaves their keys behind. */
  const made = (table: string, from: string, more: Partial<JobRun> = {}): JobRun => ({
    job: `make ${table}`,
    output: table,
    lifecycle: 'CREATE',
    columns: { name: [from] },
    ...more,
  });
  const planned = async (runs: readonly JobRun[], more: Record<string, string> = {}) => {
    const tables = { ...PEOPLE, 'mart.a': 'name:string', 'mart.b': 'name:string', ...more };
    const { steps } = await planOf({ tables, runs, sources: SOURCES });
    return steps
      .filter(({ table }) => table.startsWith('mart.'))
      .map((each) => `${each.table} ${told(each)}`);
  };

  test('cannot all be built again: nobody could be the first', async () => {
    const circle = [
      made('mart.a', 'mart.b.name', { columns: { name: ['mart.b.name', 'crm.people.name'] } }),
      made('mart.b', 'mart.a.name'),
    ];
    expect(await planned(circle)).toEqual([
      'mart.a review uncovered-source, incremental',
      'mart.b review uncovered-source, incremental',
    ]);
  });

  test('can be where the circle leads through one whose rows are deleted, or that waits for people', async () => {
    const keys = { k: ['crm.people.person_id', 'mart.a.k'], name: ['crm.people.name', 'mart.a.name'] };
    const copies = { job: 'copy', output: 'mart.k', columns: keys, rows: [] } as const;
    const table = 'k name:string';
    const through = [
      copies,
      made('mart.a', 'mart.k.name', {
        columns: { k: ['mart.k.k'], name: [['mart.k.name', 'WINDOW', 'TRANSFORMATION']] },
      }),
    ];
    expect(await planned(through, { 'mart.a': table, 'mart.k': table })).toContain(
      'mart.a rebuild by make mart.a',
    );
    const added = made('mart.b', 'mart.a.name', { job: 'app.append_data.mart_b' });
    const open = [made('mart.a', 'mart.b.name'), made('mart.b', 'crm.people.name'), added];
    expect(await planned(open)).toEqual([
      'mart.a rebuild by make mart.a',
      'mart.b review uncovered-source, no-rebuild',
    ]);
  });

  test('are built again in the order in which they read each other, whatever their names', async () => {
    // What mart.b was before it was emptied came from mart.z; now it is made of people, and mart.z and mart.a of it.
    const emptied = made('mart.b', 'crm.people.name', { at: 5 });
    const columns = { name: ['mart.a.name', 'crm.people.name'] };
    const before = made('mart.b', '', { job: 'old', at: 1, columns });
    const runs = [before, made('mart.z', 'mart.b.name', { at: 2 }), made('mart.a', 'mart.z.name', { at: 3 })];
    const drop: JobRun = { job: 'drop', output: 'mart.b', inputs: [], lifecycle: 'DROP', at: 4 };
    expect(await planned([...runs, drop, emptied], { 'mart.z': 'name:string' })).toEqual([
      'mart.b rebuild by make mart.b',
      'mart.z rebuild by make mart.z',
      'mart.a rebuild by make mart.a',
    ]);
  });
});
