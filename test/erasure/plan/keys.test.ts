import { describe, expect, test } from 'vitest';
import { planErasure } from '../../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import type { JobRun } from '../../support/openlineage.ts';
import { planOf, stepOf, told } from './support.ts';

const PEOPLE = { 'crm.people': 'person_id name:string city:string' };
const append: JobRun = {
  job: 'copy',
  output: 'mart.copy',
  columns: { k: ['crm.people.person_id'], name: ['crm.people.name'] },
};
const COPY = { ...PEOPLE, 'mart.copy': 'k name:string' };

test('L5a: in a table loaded from outside the declared id columns are its keys', async () => {
  expect(await stepOf({ tables: PEOPLE }, 'crm.people')).toBe('delete by person_id');
  // A job that loads it from a file, or from itself, does not change that; neither does a declared source with lineage.
  const load: JobRun = { job: 'load', output: 'crm.people', columns: { person_id: ['files.x.y'] } };
  expect(await stepOf({ tables: PEOPLE, runs: [load] }, 'crm.people')).toBe('delete by person_id');
  const built: JobRun = { job: 'b', output: 'crm.people', columns: { person_id: ['m.other.x'] } };
  const tables = { ...PEOPLE, 'm.other': 'x' };
  expect(await stepOf({ tables, runs: [built], sources: ['crm.*', 'm.*'] }, 'crm.people')).toBe(
    'delete by person_id',
  );
  expect(await stepOf({ tables, runs: [built], sources: ['m.*'] }, 'crm.people')).toBe(
    'review named-like-a-key',
  );
});

test('L5a: in a table built from others a key is an exact copy, through any chain; copyOf is the declared end, first by name', async () => {
  expect(await stepOf({ tables: COPY, runs: [append] }, 'mart.copy')).toBe(
    'delete by k = crm.people.person_id',
  );
  const chain: JobRun[] = [
    append,
    { job: '2', output: 'mart.two', columns: { kk: ['mart.copy.k'], name: ['mart.copy.name'] } },
    { job: '3', output: 'mart.three', columns: { kkk: ['mart.two.kk'] } },
  ];
  const tables = { ...COPY, 'mart.two': 'kk name:string', 'mart.three': 'kkk' };
  expect(await stepOf({ tables, runs: chain }, 'mart.three')).toBe('delete by kkk = crm.people.person_id');
  const union: JobRun = {
    job: 'u',
    output: 'mart.u',
    columns: { k: ['crm.people.person_id', 'app.users.person_id'] },
  };
  expect(
    await stepOf({ tables: { ...PEOPLE, 'app.users': 'person_id', 'mart.u': 'k' }, runs: [union] }, 'mart.u'),
  ).toBe('delete by k = app.users.person_id');
});

test.each([
  [
    'a cast',
    { k: [['crm.people.person_id', 'TRANSFORMATION']] },
    'review cast-key, uncovered-source, no-rebuild',
  ],
  ['a hash', { k: [['crm.people.person_id', 'HASH']] }, 'review masked-key, uncovered-source, no-rebuild'],
  [
    'a condition',
    { k: ['crm.people.person_id', ['crm.people.city', 'CONDITIONAL']] },
    'review uncovered-source, no-rebuild',
  ],
  [
    'identity and a cast',
    { k: [['crm.people.person_id', 'IDENTITY', 'TRANSFORMATION']] },
    'review cast-key, uncovered-source, no-rebuild',
  ],
  [
    'another column beside it',
    { k: ['crm.people.person_id', 'crm.people.city'] },
    'review uncovered-source, no-rebuild',
  ],
  ['an unknown role', { k: [['crm.people.person_id', '?']] }, 'review unknown-edge, no-rebuild'],
  ['a maximum', { k: [['crm.people.person_id', 'AGGREGATION']] }, 'review uncovered-source, no-rebuild'],
] as const)('L5a: %s is no exact copy', async (_, columns, expected) => {
  const run: JobRun = { job: 'j', output: 'mart.t', columns };
  expect(await stepOf({ tables: { ...PEOPLE, 'mart.t': 'k' }, runs: [run] }, 'mart.t')).toBe(expected);
});

test('L5a: a copy of another type is none', async () => {
  const run: JobRun = { job: 'j', output: 'mart.t', columns: { k: ['crm.people.person_id'] } };
  const step = (type: string) =>
    stepOf({ tables: { ...PEOPLE, 'mart.t': `k:${type}` }, runs: [run] }, 'mart.t');
  expect(await step('string')).toBe('review uncovered-source, no-rebuild');
  expect(await step('int')).toBe('delete by k = crm.people.person_id');
});

test('L5a: every writer has to copy the key', async () => {
  const other: JobRun = {
    job: 'other',
    output: 'mart.copy',
    columns: { k: [['crm.people.person_id', 'TRANSFORMATION']] },
  };
  expect(await stepOf({ tables: COPY, runs: [append, other] }, 'mart.copy')).toMatch(/^review cast-key/);
  // One that leaves the column empty leaves its source's rows without a key.
  const keyless: JobRun = { job: 'other', output: 'mart.copy', columns: { name: ['crm.people.name'] } };
  expect(await stepOf({ tables: COPY, runs: [append, keyless] }, 'mart.copy')).toMatch(
    /^review uncovered-source/,
  );
});

test('L5a: two statements of one job are judged one by one', async () => {
  const keyed = { ...append, job: 'app.append_data.mart_copy', runId: '1' };
  const keyless: JobRun = {
    job: keyed.job,
    output: 'mart.copy',
    columns: { name: ['crm.people.name'] },
    runId: '2',
  };
  expect(await stepOf({ tables: COPY, runs: [keyed, keyless] }, 'mart.copy')).toBe(
    'review uncovered-source, incremental',
  );
});

test('L5a: identifies makes a column a key anywhere; what lineage says against it is a review', async () => {
  const metadata = `
[tables."mart.t".columns]
who = { classification = "internal", identifies = "person" }
`;
  const tables = { ...PEOPLE, 'mart.t': 'who name:string' };
  const step = (run: JobRun) => stepOf({ tables, runs: [run], metadata }, 'mart.t');
  // No event says what is in it: the declaration counts.
  expect(
    await step({
      job: 'j',
      output: 'mart.t',
      columns: { name: ['crm.people.name'], who: [] },
      rows: [['crm.people.person_id', 'FILTER']],
    }),
  ).toMatch(/^review uncovered-source/);
  expect(await step({ job: 'j', output: 'mart.t', columns: { who: ['crm.people.person_id'] } })).toMatch(
    /^review unknown-edge, no-rebuild$/,
  );
  expect(
    await step({
      job: 'j',
      output: 'mart.t',
      columns: { who: ['crm.people.city'], name: ['crm.people.name'] },
    }),
  ).toMatch(/^review named-like-a-key/);
});

describe('L5a: a column that is named like an id and holds something else', () => {
  const run: JobRun = {
    job: 'j',
    output: 'mart.t',
    columns: { person_id: ['crm.people.city'], owner: ['crm.people.person_id'] },
  };
  const tables = { ...PEOPLE, 'crm.cities': 'code', 'mart.t': 'person_id owner' };
  const planned = (change: Partial<JobRun>): Promise<string> =>
    stepOf({ tables, runs: [{ ...run, ...change }] }, 'mart.t');

  test('is a review, though another column is the key', async () => {
    expect(await planned({})).toBe('review named-like-a-key');
  });

  test('is built again where all of it stood in rows of people, which are gone by then', async () => {
    expect(await planned({ lifecycle: 'CREATE' })).toBe('rebuild by j');
  });

  test('stays a review where it may be an id that nobody declared: out of what is nobody’s, or against a declaration', async () => {
    const columns = { ...run.columns, person_id: ['crm.people.city', 'crm.cities.code'] };
    expect(await planned({ lifecycle: 'CREATE', columns })).toMatch(/^review named-like-a-key/);
    const declared =
      '[tables."mart.t"]\nowner = "mart"\n[tables."mart.t".columns.code]\nclassification = "personal"\nidentifies = "person"\n';
    const named = {
      lifecycle: 'CREATE' as const,
      columns: { code: ['crm.people.city'], owner: ['crm.people.person_id'] },
    };
    const step = stepOf(
      { tables: { ...PEOPLE, 'mart.t': 'code owner' }, runs: [{ ...run, ...named }], metadata: declared },
      'mart.t',
    );
    expect(await step).toMatch(/named-like-a-key/);
  });
});

test('L5a: in a cycle of copies, what hangs on a source is a key, and what hangs on itself is none', async () => {
  const runs: JobRun[] = [
    { job: 'a', output: 'mart.a', columns: { k: ['crm.people.person_id', 'mart.b.k'] } },
    { job: 'b', output: 'mart.b', columns: { k: ['mart.a.k'] } },
  ];
  const tables = { ...PEOPLE, 'mart.a': 'k', 'mart.b': 'k' };
  const { steps } = await planOf({ tables, runs });
  expect(steps.map(told)).toEqual([
    'delete by person_id',
    'delete by k = crm.people.person_id',
    'delete by k = crm.people.person_id',
  ]);
  const island: JobRun[] = [
    { job: 'a', output: 'mart.a', columns: { k: ['mart.b.k'], city: ['crm.people.city'] } },
    { job: 'b', output: 'mart.b', columns: { k: ['mart.a.k'] } },
  ];
  expect(await stepOf({ tables: { ...tables, 'mart.a': 'k city:string' }, runs: island }, 'mart.a')).toMatch(
    /^review uncovered-source/,
  );
});

test('L5a: ids that come out of a circle of copies alone are nobody’s: a review that names the circle', async () => {
  const copy = (output: string, from: string): JobRun => ({
    job: output,
    output,
    columns: { person_id: [`${from}.person_id`], name: ['crm.people.name'] },
  });
  const runs = [copy('mart.a', 'mart.b'), copy('mart.b', 'mart.c'), copy('mart.c', 'mart.b')];
  const columns = 'person_id name:string';
  const { steps } = await planOf({
    tables: { ...PEOPLE, 'mart.a': columns, 'mart.b': columns, 'mart.c': columns },
    runs,
  });
  const [, , , a] = steps;
  expect(steps.map(({ table }) => table)).toEqual(['crm.people', 'mart.b', 'mart.c', 'mart.a']);
  expect(a!.causes).toContainEqual({
    code: 'named-like-a-key',
    what: 'person_id is named like an id and comes out of a circle of copies alone: mart.a.person_id, mart.b.person_id, mart.c.person_id',
  });
  // A source that leads in makes them ids.
  const led = {
    ...copy('mart.c', 'mart.b'),
    columns: { person_id: ['mart.b.person_id', 'crm.people.person_id'] },
  };
  const found = await planOf({
    tables: { ...PEOPLE, 'mart.b': 'person_id', 'mart.c': 'person_id' },
    runs: [{ job: 'b', output: 'mart.b', columns: { person_id: ['mart.c.person_id'] } }, led],
  });
  expect(found.steps.map(({ action }) => action)).toEqual(['delete', 'delete', 'delete']);
});

test('hazard 3: names match whole', async () => {
  const tables = { 'crm.people_of': 'person_id2 my_person_id', 'crm.people': 'person_id' };
  const { steps } = await planOf({ tables });
  expect(steps.map(({ table }) => table)).toEqual(['crm.people']);
});

test('a subject that nobody declared is an error that names the known ones', async () => {
  const governance = parseGovernance({
    'retention.toml':
      '[erasure.subjects.person]\nid_type = "long"\nid_columns = ["person_id"]\nidentifying = []\n',
  });
  const lineage = await readLineage({ from: [] });
  expect(() => planErasure({ governance, lineage, tables: [], subject: 'persn' })).toThrow(
    expect.objectContaining({ code: 'plan/no-such-subject', data: { subject: 'persn', known: ['person'] } }),
  );
});
