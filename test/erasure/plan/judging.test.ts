import { expect, test } from 'vitest';
import type { JobRun } from '../../support/openlineage.ts';
import { DELETE, keyed, PEOPLE, SOURCES, step } from './people.ts';
import { planOf, told } from './support.ts';

test('L5d: a source that carries values has its key copied, or joins on the same subject’s key', async () => {
  expect(await step(keyed, 'k name:string')).toBe(DELETE);
  const joined = (rows: JobRun['rows']): JobRun => ({
    ...keyed,
    columns: { ...keyed.columns, at: ['app.visits.at'] },
    ...(rows === undefined ? {} : { rows }),
  });
  const columns = 'k name:string at:timestamp';
  expect(
    await step(
      joined([
        ['crm.people.person_id', 'JOIN'],
        ['app.visits.person_id', 'JOIN'],
      ]),
      columns,
    ),
  ).toBe(DELETE);
  expect(await step(joined(undefined), columns)).toBe('review uncovered-source, no-rebuild');
  // A join on something else brings other people's rows in.
  expect(
    await step(
      joined([
        ['crm.people.city', 'JOIN'],
        ['app.visits.shop_id', 'JOIN'],
      ]),
      columns,
    ),
  ).toMatch(/^review uncovered-source/);
  // A source without people has to be joined too: else it may be a branch of a union, under a constant for a key.
  const shops: JobRun = { ...keyed, columns: { ...keyed.columns, label: ['app.shops.label'] } };
  const labelled = 'k name:string label:string';
  expect(await step(shops, labelled)).toBe('review uncovered-source, no-rebuild');
  const rows: JobRun['rows'] = [
    ['crm.people.city', 'JOIN'],
    ['app.shops.city', 'JOIN'],
  ];
  expect(await step({ ...shops, rows }, labelled)).toBe(DELETE);
});

test('L5d: two sources that join on the key are joined by it, unless a table between them leads on by another column', async () => {
  const via = (...between: string[]): JobRun => ({
    ...keyed,
    columns: { k: ['app.tickets.person_id'], at: ['app.visits.at'] },
    rows: ['app.tickets.person_id', 'app.visits.person_id', ...between].map((column) => [column, 'JOIN']),
  });
  const columns = 'k at:timestamp';
  expect(await step(via(), columns)).toBe('delete by k = app.tickets.person_id');
  expect(await step(via('crm.people.person_id'), columns)).toBe('delete by k = app.tickets.person_id');
  // tickets.person_id = people.referrer and people.person_id = visits.person_id: the visit of the one who was referred.
  expect(await step(via('crm.people.person_id', 'crm.people.referrer'), columns)).toBe(
    'review uncovered-source, no-rebuild',
  );
  // So with another table in between; one whose column has a partner of its name only filters.
  expect(await step(via('app.shops.shop_id', 'crm.people.city'), columns)).toMatch(
    /^review uncovered-source/,
  );
  expect(await step(via('app.shops.shop_id', 'app.visits.shop_id'), columns)).toBe(
    'delete by k = app.tickets.person_id',
  );
});

test('L5d: a union branch without the key is uncovered, though every edge is true', async () => {
  const union: JobRun = {
    ...keyed,
    columns: { k: ['crm.people.person_id'], name: ['crm.people.name', 'app.tickets.mail'] },
  };
  expect(await step(union, 'k name:string')).toBe('review uncovered-source, no-rebuild');
  const both: JobRun = {
    ...keyed,
    columns: {
      k: ['crm.people.person_id', 'app.tickets.person_id'],
      name: ['crm.people.name', 'app.tickets.mail'],
    },
  };
  expect(await step(both, 'k name:string')).toBe('delete by k = app.tickets.person_id');
});

test('L5d: a source that is read twice may stand in another person’s row', async () => {
  const base = {
    ...keyed,
    rows: [
      ['crm.people.person_id', 'JOIN'],
      ['app.visits.person_id', 'JOIN'],
    ] as const,
  };
  expect(await step({ ...base, inputs: ['crm.people', 'app.visits'] }, 'k name:string')).toBe(DELETE);
  expect(await step({ ...base, inputs: ['crm.people', 'crm.people', 'app.visits'] }, 'k name:string')).toBe(
    'review misaligned, no-rebuild',
  );
  // Only the join's own columns show it: all of one table, or one without a possible partner.
  expect(
    await step(
      {
        ...keyed,
        rows: [
          ['crm.people.person_id', 'JOIN'],
          ['crm.people.referrer', 'JOIN'],
        ],
      },
      'k name:string',
    ),
  ).toBe('review misaligned, no-rebuild');
  expect(
    await step({ ...base, rows: [...base.rows, ['crm.people.referrer', 'JOIN']] }, 'k name:string'),
  ).toBe('review misaligned, no-rebuild');
  // The statement's text: only where a table is read, not where a column is named.
  const sql = (text: string): JobRun => ({ ...keyed, sql: text });
  expect(
    await step(
      sql('INSERT INTO x SELECT a.name FROM lake.crm.people a JOIN crm.people b ON a.r = b.id'),
      'k name:string',
    ),
  ).toBe('review misaligned, incremental');
  expect(
    await step(
      sql('CREATE OR REPLACE TABLE t AS SELECT crm.people.name, crm.people.city FROM "crm"."people"'),
      'k name:string',
    ),
  ).toBe(DELETE);
});

test('L5d: what cannot be found whole in a source cannot be found in its copies', async () => {
  const tables = {
    ...PEOPLE,
    'mart.t': 'k name:string',
    'mart.u': 'k name:string',
    'mart.v': 'k name:string',
  };
  const union: JobRun = {
    ...keyed,
    lifecycle: 'OVERWRITE',
    columns: { k: ['crm.people.person_id'], name: ['crm.people.name', 'app.tickets.mail'] },
  };
  const copy = (from: string, output: string): JobRun => ({
    job: output,
    output,
    columns: { k: [`${from}.k`], name: [`${from}.name`] },
  });
  const through = async (middle: Partial<JobRun>, tablesThere = tables) => {
    const runs = [union, { ...copy('mart.t', 'mart.u'), ...middle }, copy('mart.u', 'mart.v')];
    const { steps } = await planOf({ tables: tablesThere, runs, sources: SOURCES });
    return Object.fromEntries(steps.slice(-3).map((each) => [each.table, told(each)]));
  };
  expect(await through({})).toEqual({
    'mart.t': 'rebuild by j',
    'mart.u': 'review uncovered-source, no-rebuild',
    'mart.v': 'review uncovered-source, no-rebuild',
  });
  expect((await through({ lifecycle: 'CREATE' }))['mart.u']).toBe('rebuild by mart.u');
  // A view in between hides nothing.
  const { 'mart.t': _, ...without } = tables;
  expect((await through({}, without as typeof tables))['mart.v']).toBe('review uncovered-source, no-rebuild');
});

test('L5d: where a person decided by which key a row belongs to somebody, only that key is one in its copies', async () => {
  const metadata =
    '[tables."crm.people".columns]\nreferrer = { classification = "internal", identifies = "person" }\n';
  const retention = `
[erasure.decisions."crm.people"]
answers = ["two-people"]
action = "delete"
by = ["person_id"]
reason = "a row belongs to the one who was referred"
decided_by = "crm team"
`;
  const only: JobRun = { ...keyed, columns: { k: ['crm.people.referrer'], name: ['crm.people.name'] } };
  expect(await step(only, 'k name:string', { metadata, retention })).toBe(
    'review uncovered-source, no-rebuild',
  );
  expect(await step(keyed, 'k name:string', { metadata, retention })).toBe(DELETE);
});

test('L5d: no value comes through a window, and sums are grouped by the key', async () => {
  const windowed = (from: JobRun['columns']): JobRun => ({
    ...keyed,
    columns: { ...keyed.columns, ...from },
  });
  expect(
    await step(
      windowed({
        previous: [
          ['crm.people.name', 'TRANSFORMATION'],
          ['crm.people.city', 'WINDOW'],
        ],
      }),
      'k name:string previous:string',
    ),
  ).toBe('review misaligned, no-rebuild');
  // A rank takes no value.
  expect(await step(windowed({ rank: [['crm.people.city', 'WINDOW']] }), 'k name:string rank')).toBe(DELETE);
  const summed = (rows: JobRun['rows']): JobRun => ({
    ...keyed,
    columns: { k: ['crm.people.person_id'], visits: [['app.visits.visit_id', 'COUNT']] },
    rows: [['crm.people.person_id', 'JOIN'], ['app.visits.person_id', 'JOIN'], ...(rows ?? [])],
  });
  expect(await step(summed([['app.visits.person_id', 'GROUP_BY']]), 'k visits')).toBe(DELETE);
  expect(await step(summed([]), 'k visits')).toBe('review misaligned, no-rebuild');
});

test('L5d, hazard 35: two keys of one subject in one row are two people, in a source too', async () => {
  const metadata =
    '[tables."crm.people".columns]\nreferrer = { classification = "internal", identifies = "person" }\n';
  const two: JobRun = { ...keyed, columns: { ...keyed.columns, r: ['crm.people.referrer'] } };
  const tables = { ...PEOPLE, 'mart.t': 'k name:string r' };
  const plan = await planOf({ tables, runs: [two], sources: SOURCES, metadata });
  const steps = Object.fromEntries(plan.steps.map((each) => [each.table, told(each)]));
  expect(steps['crm.people']).toBe('review two-people');
  expect(steps['mart.t']).toBe('review two-people');
  expect(plan.steps.find(({ table }) => table === 'mart.t')!.match.map(({ columns }) => columns)).toEqual([
    ['k'],
    ['r'],
  ]);
});
