import { expect, test } from 'vitest';
import { planErasure } from '../../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { type JobRun, runEvents } from '../../support/openlineage.ts';
import { type Planning, planOf, stepOf, tablesOf, told } from './support.ts';

const PEOPLE = {
  'crm.people': 'person_id name:string referrer city:string',
  'app.visits': 'visit_id person_id shop_id at:timestamp',
  'app.tickets': 'ticket_id person_id mail:string',
  'app.shops': 'shop_id label:string',
};
const SOURCES = Object.keys(PEOPLE);

async function step(
  run: JobRun | readonly JobRun[],
  columns: string,
  more: Partial<Planning> = {},
): Promise<string> {
  const runs = Array.isArray(run) ? (run as JobRun[]) : [run as JobRun];
  return stepOf({ tables: { ...PEOPLE, 'mart.t': columns }, runs, sources: SOURCES, ...more }, 'mart.t');
}

const keyed: JobRun = {
  job: 'j',
  output: 'mart.t',
  columns: { k: ['crm.people.person_id'], name: ['crm.people.name'] },
};
const DELETE = 'delete by k = crm.people.person_id';

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

test('L5g: a review carries a probe with every name quoted, and no value', async () => {
  const tables = { 'crm.people': 'person_id', 'mart.odd "t"; DROP': 'k"; -- x:string' };
  const runs: JobRun[] = [
    {
      job: 'j',
      output: 'mart.odd "t"; DROP',
      columns: { 'k";': [['crm.people.person_id', 'TRANSFORMATION']] },
    },
  ];
  const plan = await planOf({
    tables: { ...tables, 'mart.odd "t"; DROP': 'k";:string' },
    runs,
    sources: ['crm.*'],
  });
  const review = plan.steps.find(({ action }) => action === 'review')!;
  expect(review.causes.map(({ code }) => code)).toEqual(['cast-key', 'uncovered-source', 'no-rebuild']);
  expect(review.probe[0]!.sql).toBe(
    'SELECT count(*) AS "rows", count(*) FILTER (WHERE CAST("k"";" AS VARCHAR) IN (SELECT CAST("person_id" AS VARCHAR) FROM "crm"."people")) AS "ids" FROM "mart"."odd ""t""; DROP"',
  );
});

const RETENTION = `
[tables."app.tickets"]
keep_days = 10
counted_from = "ticket_id"
[erasure.exceptions."app.tickets"]
reason = "a dispute"
decided_by = "legal team"
erase_columns = ["mail"]
`;

test('L5e: an exception keeps the rows and clears the columns it lists; a copy is a review unless it is covered', async () => {
  const copy: JobRun = {
    job: 'j',
    output: 'mart.t',
    columns: { k: ['app.tickets.person_id'], m: [['app.tickets.mail', 'TRANSFORMATION']] },
  };
  const tables = { ...PEOPLE, 'mart.t': 'k m:string' };
  const planning = { tables, runs: [copy], sources: SOURCES };
  expect(await stepOf({ ...planning, retention: RETENTION }, 'app.tickets')).toBe(
    'keep by person_id, clear mail',
  );
  expect(await stepOf({ ...planning, retention: RETENTION }, 'mart.t')).toBe('review derived-from-kept');
  const covering = `${RETENTION}covers = ["mart.t"]\n`;
  const plan = await planOf({ ...planning, retention: covering });
  expect(told(plan.steps.find(({ table }) => table === 'mart.t'))).toBe(
    'keep by k = app.tickets.person_id, clear m',
  );
  expect(plan.steps.find(({ table }) => table === 'mart.t')).toMatchObject({
    reason: 'a dispute',
    decidedBy: 'legal team',
  });
  // What only counts the kept rows is made again, with them.
  const counted: JobRun = {
    job: 'j',
    output: 'mart.t',
    lifecycle: 'OVERWRITE',
    columns: { n: [['app.tickets.ticket_id', 'COUNT']] },
  };
  expect(await step(counted, 'n', { retention: RETENTION })).toBe('rebuild by j');
  // An exception for other kinds of people holds nothing back.
  const others = `${RETENTION}subjects = ["ghost"]\n[erasure.subjects.ghost]\nid_type = "long"\nid_columns = ["ghost_id"]\nidentifying = []\n`;
  expect(await stepOf({ ...planning, retention: others }, 'app.tickets')).toBe('delete by person_id');
});

const decision = (answers: string, more: string): string => `
[erasure.decisions."mart.t"]
answers = ${answers}
reason = "looked at"
decided_by = "data team"
${more}
`;
const cast: JobRun = {
  job: 'j',
  output: 'mart.t',
  columns: { ref: [['crm.people.person_id', 'TRANSFORMATION']] },
};

test('L5g: a decision answers the causes it names, and any other stays open', async () => {
  const all = '["cast-key", "uncovered-source", "no-rebuild"]';
  const decided = (answers: string, more: string) =>
    step(cast, 'ref:string', { retention: decision(answers, more) });
  expect(await decided(all, 'action = "delete"\nby = ["ref"]')).toBe('delete by ref');
  expect(await decided(all, 'action = "ignore"')).toBe('ignore');
  expect(await decided(all, 'action = "clear"\nby = ["ref"]\ncolumns = ["ref"]')).toBe(
    'clear by ref, clear ref',
  );
  await expect(decided(all, 'action = "delete"')).rejects.toMatchObject({
    code: expect.stringMatching(/no-key|governance/),
  });
  expect(await decided('["cast-key"]', 'action = "delete"\nby = ["ref"]')).toBe(
    'review uncovered-source, no-rebuild',
  );
  const plan = await planOf({
    tables: { ...PEOPLE, 'mart.t': 'ref:string' },
    runs: [cast],
    sources: SOURCES,
    retention: decision(all, 'action = "delete"\nby = ["ref"]'),
  });
  expect(plan.steps.at(-1)).toMatchObject({
    reason: 'looked at',
    decidedBy: 'data team',
    causes: [],
    probe: [],
  });
});

test('L5g: a decision that names a missing column is an error; one that answers nothing is reported', async () => {
  const all = '["cast-key", "uncovered-source", "no-rebuild"]';
  const wrong = step(cast, 'ref:string', { retention: decision(all, 'action = "delete"\nby = ["nope"]') });
  await expect(wrong).rejects.toMatchObject({ code: 'plan/no-such-column', data: { column: 'nope' } });
  const needless = await planOf({
    tables: { ...PEOPLE, 'mart.t': 'k name:string' },
    runs: [keyed],
    sources: SOURCES,
    retention: decision('["cast-key"]', 'action = "delete"\nby = ["k"]'),
  });
  expect(told(needless.steps.at(-1))).toBe(DELETE);
  expect(needless.findings).toMatchObject([{ code: 'needless-decision', table: 'mart.t' }]);
});

test('L1d: a column that the table lacks is reported and kept', async () => {
  const run: JobRun = { ...keyed, columns: { ...keyed.columns, ghost: ['crm.people.city'] } };
  const plan = await planOf({
    tables: { ...PEOPLE, 'mart.t': 'k name:string' },
    runs: [run],
    sources: SOURCES,
  });
  expect(told(plan.steps.at(-1))).toBe(DELETE);
  expect(plan.findings).toEqual([
    { code: 'unknown-column', table: 'mart.t', what: 'lineage fills ghost, which the table lacks' },
  ]);
});

test('L1g: a column on one side only may come from every source', async () => {
  const producer = 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt';
  const run: JobRun = {
    ...keyed,
    producer,
    columns: { k: ['crm.people.person_id'], _0: ['crm.people.city'] },
  };
  expect(await step(run, 'k last')).toBe('review unknown-edge, no-rebuild');
  expect(await step({ ...run, columns: { k: ['crm.people.person_id'] } }, 'k')).toBe(DELETE);
});

test('hazard 30: a column that differs in case alone is the same, by the warehouse’s name', async () => {
  const run: JobRun = { ...keyed, columns: { K: ['crm.people.PERSON_ID'], NAME: ['crm.people.name'] } };
  expect(await step(run, 'k name:string')).toBe(DELETE);
});

test('L2b: what maps to no table, what no job accounts for, and who reads without saying where to', async () => {
  const read: JobRun = { job: 'dashboard.daily', output: 'x.y', inputs: ['crm.people'] };
  const { outputs: __, ...reading } = runEvents(read)[1]!;
  const plan = async (lineageToml: string) => {
    const governance = parseGovernance({
      'retention.toml':
        '[erasure.subjects.person]\nid_type = "long"\nid_columns = ["person_id"]\nidentifying = []\n',
      'lineage.toml': lineageToml,
    });
    const lineage = await readLineage({
      from: [
        [...runEvents(keyed), ...runEvents({ job: 'k', output: 'mart.tt', inputs: ['crm.people'] }), reading],
      ],
      names: governance.names,
    });
    const tables = tablesOf({ ...PEOPLE, 'mart.t': 'k name:string', 'mart.loose': 'x' });
    const { unmapped, unaccounted } = planErasure({ governance, lineage, tables, subject: 'person' });
    return {
      unmapped: unmapped.map(({ name, candidates }) => `${name} (${candidates.join()})`),
      unaccounted: unaccounted.map(({ kind, name }) => `${kind} ${name}`),
    };
  };
  expect(await plan('[sources]\n"crm.*" = "crm"\n"app.*" = "app"\n')).toEqual({
    unmapped: ['mart.tt (mart.t)'],
    unaccounted: ['table mart.loose', 'run dashboard.daily'],
  });
  expect(
    await plan(`
[sources]
"crm.*" = "crm"
"app.*" = "app"
"mart.loose" = "somebody"
[ignored]
"lake mart.tt" = "a test"
[[readers]]
name = "dashboard.*"
reason = "keeps nothing"
`),
  ).toEqual({ unmapped: [], unaccounted: [] });
});
