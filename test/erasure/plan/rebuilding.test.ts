import { expect, test } from 'vitest';
import type { JobRun } from '../../support/openlineage.ts';
import { step } from './people.ts';

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
