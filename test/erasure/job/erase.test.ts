import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { system } from '../../../src/cli/system.ts';
import {
  bindPlan,
  checkEvidence,
  type EraseOptions,
  ErasureRefused,
  erase,
  footprint,
  isClean,
  STAGES,
  storedTraces,
} from '../../../src/erasure/index.ts';
import { erasedRows } from '../../../src/register/index.ts';
import { noteTraces, scan } from '../../../src/scan/index.ts';
import { exceptionOf, governanceOf } from '../../support/governance-of.ts';
import { planOf, stepOf } from '../../support/plan-of.ts';
import { arrow, type Lake, makeLake, PERSON, ROWS_LEFT, requestIn, rowsOf, VALUES } from './lake.ts';

let dir: string;
let lake: Lake;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-erase-'));
  lake = await makeLake(dir);
});

afterEach(async () => {
  await lake.warehouse.close();
  await rm(dir, { recursive: true, force: true });
});

function options(given: Partial<EraseOptions> = {}): EraseOptions {
  return requestIn(lake, given);
}

test('E1: one job takes the person out of every table, snapshot and file', async () => {
  const evidence = await erase(options());
  expect(await rowsOf(lake.warehouse)).toEqual(ROWS_LEFT);
  expect(evidence.totals).toMatchObject({ rows: 3, filesHolding: 0, notProven: 0 });
  expect(evidence.tables.map(({ table, action, rows }) => [table, action, rows])).toEqual([
    ['billing.payments', 'keep', 0],
    ['crm.learners', 'delete', 1],
    ['learning.reviews', 'delete', 1],
    ['support.tickets', 'delete', 0],
    ['analytics.counts', 'rebuild', 0],
    ['ai.corpus', 'delete', 1],
  ]);
  expect(evidence.tables.every(({ snapshotsLeft }) => snapshotsLeft === 0)).toBe(true);
  expect(isClean(evidence)).toBe(true);
  expect((await lake.register.entries()).map(({ state }) => state)).toEqual(['open', 'closed']);
});

test('E8: evidence says what was done and kept and why, and is chained and verified offline', async () => {
  const first = await erase(options({ clock: { now: () => Date.parse('2026-10-01T10:00:00Z') } }));
  const second = await erase(options({ request: 'erasure-0002', ids: [2] }));
  expect(first).toMatchObject({
    schemaVersion: 1,
    request: 'erasure-0001',
    minAge: '72h',
    planDigest: lake.plan.digest,
    finishedAt: '2026-10-01T10:00:00.000Z',
    register: [lake.register.hash('learner', [String(PERSON.id)])],
    copies: [],
    recipients: [],
    previous: null,
  });
  expect(first.tables[0]).toMatchObject({
    table: 'billing.payments',
    cleared: ['card_number'],
    rowsCleared: 2,
    reason: 'an obligation',
    decidedBy: 'legal team',
    deleteFilesLeft: 0,
  });
  // The snapshot before is a number past 2^53 written as text, and reading it was tried and refused.
  expect(first.tables[1]!.timeTravel).toMatchObject({
    snapshotId: first.tables[1]!.snapshotBefore,
    refused: true,
  });
  expect(second.previous).toBe(first.digest);
  const { bundles, problems } = await checkEvidence(lake.folders.evidence);
  expect(problems).toEqual([]);
  expect(bundles.map(({ digest }) => digest)).toEqual([first.digest, second.digest]);
});

test.each([
  [
    'changed',
    async (file: string) => writeFile(file, (await readFile(file, 'utf8')).replace('"rows":3', '"rows":4')),
  ],
  ['unreadable', async (file: string) => writeFile(file, '{')],
  ['gap', async (file: string) => rm(file)],
] as const)('E8: evidence that was tampered with is found: %s', async (code, tamper) => {
  await erase(options());
  const last = await erase(options({ request: 'erasure-0002', ids: [2] }));
  await tamper(join(lake.folders.evidence, '000001.json'));
  expect((await checkEvidence(lake.folders.evidence)).problems.map((each) => each.code)).toContain(code);
  await rm(join(lake.folders.evidence, '000002.json'));
  expect(
    (await checkEvidence(lake.folders.evidence, { last: last.digest })).problems.map((each) => each.code),
  ).toContain('end-missing');
});

test('E7: zero rows deleted is a result, because every file was read and none holds the person', async () => {
  const evidence = await erase(options({ ids: [999_999] }));
  expect(evidence.totals.rows).toBe(0);
  expect(evidence.totals.filesRead).toBeGreaterThan(20);
  expect(isClean(evidence)).toBe(true);
});

test('E7: a file that still holds the person leaves the request open, and the next run ends it', async () => {
  const stray = join(dir, 'warehouse', 'crm', 'learners', 'data', 'left-by-a-crash.csv');
  await writeFile(stray, `x,${PERSON.email}\n`);
  const open = await erase(options());
  expect(isClean(open)).toBe(false);
  expect(open.totals).toMatchObject({ rows: 3, filesHolding: 1 });
  expect(open.young.map(({ table }) => table)).toEqual(['crm.learners']);
  expect(open.young[0]!.file).toMatch(/left-by-a-crash\.csv$/);
  expect((await lake.register.entries()).map(({ state }) => state)).toEqual(['open']);
  const traces = await storedTraces({ state: lake.folders.state, request: 'erasure-0001' });
  expect((await scan({ warehouse: lake.warehouse, traces })).totals.holding).toBe(1);
  // Unfinished, but not part-way: another request need not wait for the day on which the file can go.
  await erase(options({ request: 'erasure-0002', ids: [2] }));
  const ended = await erase(options({ minAgeMs: 0 }));
  expect(isClean(ended)).toBe(true);
  // What the request deleted in all, not only in its last run.
  expect(ended.totals.rows).toBe(3);
  expect((await lake.register.entries()).map(({ request, state }) => `${request} ${state}`)).toEqual([
    'erasure-0001 open',
    'erasure-0002 open',
    'erasure-0002 closed',
    'erasure-0001 closed',
  ]);
  expect(await readdir(lake.folders.state)).toEqual([]);
  await expect(storedTraces({ state: lake.folders.state, request: 'erasure-0001' })).rejects.toMatchObject({
    code: 'erasure/no-traces',
  });
});

test('E2: every table that stands in the way is named at once, nothing changes, and the person can still be looked for', async () => {
  const { warehouse } = lake;
  await warehouse.setProperties('crm.learners', { 'gc.enabled': 'false' }, {});
  await warehouse.setProperties('learning.reviews', { 'history.expire.min-snapshots-to-keep': '3' }, {});
  const before = await rowsOf(warehouse);
  const plan = planOf(
    [
      ...lake.plan.steps,
      stepOf({
        table: 'marketing.list',
        action: 'review',
        causes: [{ code: 'cast-key', what: 'the key is cast' }],
      }),
      stepOf({ table: 'analytics.other', action: 'rebuild', job: 'other' }),
    ],
    {
      unmapped: [{ namespace: 's3://lake', name: 'x/y', candidates: [] }],
      unaccounted: [{ name: 'crm.copy', kind: 'table', why: 'no job makes it' }],
    },
  );
  const refusal = await erase(options({ plan })).catch((error) => error);
  expect(refusal).toBeInstanceOf(ErasureRefused);
  expect(refusal.kind).toBe('refused');
  expect(
    refusal.tables.map(({ table, code }: { table: string; code: string }) => `${table} ${code}`).sort(),
  ).toEqual([
    'analytics.other missing-table',
    'analytics.other no-job',
    'crm.copy unaccounted',
    'crm.learners gc-disabled',
    'learning.reviews keeps-snapshots',
    'marketing.list cast-key',
    'marketing.list missing-table',
    's3://lake x/y unmapped',
  ]);
  for (const { reason, remedy } of refusal.tables) expect(reason.length * remedy.length).toBeGreaterThan(0);
  expect(await rowsOf(warehouse)).toEqual(before);
  expect(await lake.register.entries()).toEqual([]);
  expect(JSON.stringify(refusal)).not.toContain(PERSON.email);
  const report = await scan({ warehouse, traces: refusal.traces });
  expect(report.totals.holding).toBeGreaterThan(3);
});

test('E2: a row of someone else that names the person refuses the job until somebody decides', async () => {
  const { warehouse } = lake;
  await warehouse.append(
    'support.tickets',
    arrow({ learner_id: [2], message: [`Ask ${PERSON.name.toUpperCase()} instead`] }),
  );
  const refusal = await erase(options()).catch((error) => error);
  expect(refusal.tables).toMatchObject([{ table: 'support.tickets', code: 'mentions' }]);
  expect(refusal.mentions).toEqual([{ table: 'support.tickets', column: 'message', rows: 1 }]);
  const decision = {
    ...{ table: 'support.tickets', answers: ['mentions'], action: 'ignore' as const, by: [], columns: [] },
    ...{ refs: new Map(), reason: 'theirs', decidedBy: 'support', at: { file: 't', line: 1, column: 1 } },
  };
  const governance = { ...lake.governance, decisions: new Map([['support.tickets', [decision]]]) };
  const evidence = await erase(options({ governance }));
  expect(evidence.mentions).toEqual([{ table: 'support.tickets', column: 'message', rows: 1 }]);
  // A decision does not make a file clean.
  expect(isClean(evidence)).toBe(false);
});

test.each([
  ['a required column', { required: true }, 'required-column'],
  ['a column that is not there', { column: 'iban' }, 'missing-column'],
  [
    'a text in a column of numbers',
    { column: 'cents', put: { kind: 'constant', value: 'x' } },
    'constant-type',
  ],
  ['a token without a key', { put: { kind: 'token' } }, 'token'],
] as const)('E2: clearing %s is refused before anything changes', async (_, given, code) => {
  const {
    required = false,
    column = 'card_number',
    put = { kind: 'null' },
  } = given as {
    required?: boolean;
    column?: string;
    put?: { kind: 'null' } | { kind: 'token' } | { kind: 'constant'; value: string };
  };
  let table = 'billing.payments';
  if (required) {
    table = 'billing.strict';
    await lake.warehouse.create(table, {
      columns: [
        { name: 'learner_id', type: 'long' },
        { name: 'card_number', type: 'string', required: true },
      ],
    });
  }
  const keep = { ...lake.plan.steps[0]!, table, clear: [{ column, with: put }] };
  const refusal = await erase(options({ plan: planOf([keep, ...lake.plan.steps.slice(1)]) })).catch(
    (error) => error,
  );
  expect(refusal.tables).toMatchObject([{ table, code }]);
  expect(await lake.register.entries()).toEqual([]);
});

test('a mistyped identifying column stops the job: nobody would miss what was not looked for', async () => {
  const learner = lake.governance.subjects.get('learner')!;
  const identifying = [...learner.identifying, { table: 'crm.learners', column: 'emial' }];
  const governance = {
    ...lake.governance,
    subjects: new Map([...lake.governance.subjects, ['learner', { ...learner, identifying }]]),
  };
  await expect(erase(options({ governance }))).rejects.toMatchObject({
    code: 'governance/tables',
    data: { findings: [{ code: 'no-column', table: 'crm.learners', column: 'emial' }] },
  });
  expect(await lake.register.entries()).toEqual([]);
});

test('a dry run tells what the job would do in the same document, and changes nothing', async () => {
  const before = await readdir(dir, { recursive: true });
  const foretold = await erase(options({ dryRun: true }));
  expect((await readdir(dir, { recursive: true })).sort()).toEqual(before.sort());
  const done = await erase(options());
  expect(Object.keys(foretold).sort()).toEqual(Object.keys(done).sort());
  expect(foretold.dryRun).toBe(true);
  expect(foretold.tables.map(({ rows, rowsCleared }) => [rows, rowsCleared])).toEqual(
    done.tables.map(({ rows, rowsCleared }) => [rows, rowsCleared]),
  );
  expect(foretold.totals.filesHolding).toBeGreaterThan(0);
});

test('E9: progress goes through the stages in order, table by table and file by file', async () => {
  const stages: string[] = [];
  const tables = new Map<string, string[]>();
  let files = 0;
  const evidence = await erase(
    options({
      progress: (event) => {
        if (event.kind === 'stage') stages.push(event.stage);
        if (event.kind === 'table')
          tables.set(event.stage, [...(tables.get(event.stage) ?? []), event.table]);
        if (event.kind === 'file') files += 1;
      },
    }),
  );
  expect(stages).toEqual([...STAGES]);
  expect(tables.get('delete')).toEqual(['crm.learners', 'learning.reviews', 'support.tickets', 'ai.corpus']);
  expect(tables.get('scrub')).toHaveLength(6);
  expect(files).toBe(evidence.totals.filesRead);
});

test('E3: no value of the person is in any commit, progress, evidence, journal or register', async () => {
  const said: unknown[] = [];
  // Left open on purpose, so that the private folder is still there to look at.
  await writeFile(join(dir, 'warehouse', 'crm', 'learners', 'data', `${PERSON.email}.csv`), PERSON.name);
  const evidence = await erase(options({ progress: (event) => said.push(event) }));
  expect(evidence.totals.filesHolding).toBe(1);
  expect(evidence.young[0]!.file).toContain('***');
  const texts = [JSON.stringify(said), JSON.stringify(evidence)];
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile())) {
    const path = join(file.parentPath, file.name);
    if (path.endsWith('.csv')) continue;
    if (file.name === 'private.json') {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(file.parentPath)).mode & 0o777).toBe(0o700);
      continue;
    }
    if (path.includes('billing') && path.endsWith('.parquet')) continue;
    texts.push(await readFile(path, 'latin1'));
  }
  for (const text of texts) {
    const lower = text.toLowerCase();
    expect(VALUES.filter((value) => lower.includes(value.toLowerCase()))).toEqual([]);
  }
  const { snapshots } = await lake.warehouse.describe('crm.learners');
  expect(snapshots.at(-1)!.summary['erasure-request']).toBe('erasure-0001');
});

test.each([
  ['the email', `erase-${PERSON.email.toLowerCase().replace('@', '-')}`],
  ['the name', `for.${PERSON.name.replace(' ', '_')}`],
  ['the id', `learner-${PERSON.id}`],
  ['the id as exports write it', `R00${PERSON.id}b`],
])('E3: a request that is named for %s is refused before it reaches a commit', async (_, request) => {
  const error = await erase(options({ request })).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'erasure/names-person', kind: 'input' });
  for (const value of VALUES) expect(error.message.toLowerCase()).not.toContain(value.toLowerCase());
  expect(await lake.register.entries()).toEqual([]);
});

test.each(['', ' ', 'a\nb', `x${'y'.repeat(100)}`])('a request cannot be called %j', async (request) => {
  await expect(erase(options({ request }))).rejects.toMatchObject({ code: 'erasure/request' });
});

test('E4: a second job does not run beside the first, and another request waits for one that was cut off', async () => {
  const signal = AbortSignal.abort();
  await expect(erase(options({ signal }))).rejects.toMatchObject({ code: 'erasure/stopped', kind: 'failed' });
  await expect(erase(options({ request: 'erasure-0002', ids: [2] }))).rejects.toMatchObject({
    code: 'erasure/unfinished',
    data: { request: 'erasure-0001' },
  });
  await expect(erase(options({ ids: [2] }))).rejects.toMatchObject({ code: 'erasure/other-people' });
  const other = planOf(lake.plan.steps.slice(1));
  await expect(erase(options({ plan: other }))).rejects.toMatchObject({
    code: 'erasure/plan-changed',
    data: { changed: ['billing.payments'] },
  });
  expect(isClean(await erase(options()))).toBe(true);
  expect(isClean(await erase(options({ request: 'erasure-0002', ids: [2] })))).toBe(true);
});

test('a rebuild job that leaves its table as it was fails the erasure, which can be finished', async () => {
  const jobs = { 'analytics.counts': async () => {} };
  await expect(erase(options({ jobs }))).rejects.toMatchObject({
    code: 'erasure/not-rebuilt',
    kind: 'failed',
  });
  const evidence = await erase(options());
  expect(evidence.totals.rows).toBe(3);
  expect(await rowsOf(lake.warehouse)).toEqual(ROWS_LEFT);
});

test('what a rebuild job throws may quote a row, so only its cause has it', async () => {
  const jobs = {
    'analytics.counts': async () => {
      throw new Error(`duplicate key: ${PERSON.email}`);
    },
  };
  const error = await erase(options({ jobs })).catch((thrown) => thrown);
  expect(error).toMatchObject({
    code: 'erasure/rebuild-failed',
    kind: 'failed',
    data: { table: 'analytics.counts' },
  });
  expect(error.message).not.toContain(PERSON.email);
});

test('E6: a person who is loaded again while the job runs is found by its scan, and erased by the next run', async () => {
  let loads = 0;
  const jobs = {
    'analytics.counts': async ({ warehouse }: { warehouse: Lake['warehouse'] }) => {
      await lake.jobs['analytics.counts']!({ warehouse });
      loads += 1;
      if (loads > 1) return;
      await warehouse.append(
        'crm.learners',
        arrow({ learner_id: [PERSON.id], full_name: [PERSON.name], email: [null] }),
      );
    },
  };
  const found = await erase(options({ jobs }));
  expect(found.tables.filter(({ filesHolding }) => filesHolding > 0).map(({ table }) => table)).toEqual([
    'crm.learners',
  ]);
  expect((await erasedRows(lake.register, lake)).tables.find(({ rows }) => rows > 0)).toMatchObject({
    table: 'crm.learners',
    requests: ['erasure-0001'],
  });
  const ended = await erase(options({ jobs }));
  expect(isClean(ended)).toBe(true);
  expect(ended.totals.rows).toBe(4);
  expect(loads).toBe(2);
  expect((await erasedRows(lake.register, lake)).total).toBe(0);
});

test('an exception that was to be reviewed before this day keeps nothing', async () => {
  const lapsed = exceptionOf('billing.payments', ['card_number'], { reviewBy: '2026-09-30' });
  const governance = { ...lake.governance, exceptions: new Map([['billing.payments', lapsed]]) };
  const refusal = await erase(options({ governance })).catch((error) => error);
  expect(refusal.tables).toMatchObject([{ table: 'billing.payments', code: 'exception-lapsed' }]);
  expect(isClean(await erase(options({ governance, day: '2026-09-30' })))).toBe(true);
});

test('an erasure that could not be proved is not begun', async () => {
  const evidence = join(dir, 'register.ndjson', 'evidence');
  await writeFile(join(dir, 'register.ndjson'), '');
  await expect(erase(options({ evidence }))).rejects.toMatchObject({
    code: 'evidence/unwritable',
    kind: 'input',
  });
  await mkdir(lake.folders.evidence);
  await writeFile(join(lake.folders.evidence, '000001.json'), '{');
  await expect(erase(options())).rejects.toMatchObject({ code: 'evidence/unreadable' });
  expect(await lake.register.entries()).toEqual([]);
});

test('several people of one request are erased in one rewrite of each table', async () => {
  const evidence = await erase(options({ ids: [PERSON.id, 1] }));
  expect(evidence.tables.map(({ table, rows, rowsCleared }) => [table, rows, rowsCleared])).toEqual([
    ['billing.payments', 0, 3],
    ['crm.learners', 2, 0],
    ['learning.reviews', 2, 0],
    ['support.tickets', 0, 0],
    ['analytics.counts', 0, 0],
    ['ai.corpus', 2, 0],
  ]);
  expect(evidence.register).toHaveLength(2);
  expect((await lake.register.entries()).map(({ state }) => state)).toEqual([
    'open',
    'open',
    'closed',
    'closed',
  ]);
  const { snapshots } = await lake.warehouse.describe('crm.learners');
  expect(snapshots).toHaveLength(1);
});

test('the footprint shows where the person is after each step, and changes nothing', async () => {
  const { warehouse, governance, plan } = lake;
  const bound = await bindPlan({ plan, ids: [PERSON.id], warehouse, governance });
  const traces = await noteTraces({ bound, governance, warehouse });
  const of = async (table: string) => {
    const { tables } = await footprint({ warehouse, bound, traces });
    const { rows, snapshotsHolding, rowsByTimeTravel, filesHolding } = tables.find(
      (each) => each.table === table,
    )!;
    return { rows, snapshotsHolding, rowsByTimeTravel, holds: filesHolding! > 0 };
  };
  const table = 'crm.learners';
  const where = bound.steps.find(({ step }) => step.table === table)!.where.reveal();
  expect(await of(table)).toEqual({ rows: 1, snapshotsHolding: 0, rowsByTimeTravel: 0, holds: true });
  await warehouse.change(table, { delete: where }, {});
  expect(await of(table)).toEqual({ rows: 0, snapshotsHolding: 1, rowsByTimeTravel: 1, holds: true });
  await warehouse.expire(table, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'leave' });
  expect(await of(table)).toEqual({ rows: 0, snapshotsHolding: 0, rowsByTimeTravel: 0, holds: true });
  await warehouse.sweep(table, { minAgeMs: 0 });
  await warehouse.scrub(table, {});
  await warehouse.expire(table, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' });
  expect(await of(table)).toEqual({ rows: 0, snapshotsHolding: 0, rowsByTimeTravel: 0, holds: false });
});

test.each([
  ['a day that is none', { day: '2026-02-30' }, 'values/day'],
  ['an id that is no id', { ids: ['x'] }, 'erasure/id-type'],
  ['a negative age', { minAgeMs: -1 }, 'governance/min-age'],
  ['the plan of another subject', { plan: planOf([], { subject: 'instructor' }) }, 'erasure/other-subject'],
  [
    'a subject nobody declared',
    { governance: governanceOf({ subjects: new Map() }) },
    'erasure/no-such-subject',
  ],
] as const)('%s is an input error, and nothing is begun', async (_, given, code) => {
  await expect(erase(options(given as Partial<EraseOptions>))).rejects.toMatchObject({ code, kind: 'input' });
  expect(await lake.register.entries()).toEqual([]);
});

test('the clock of the system is one that the job takes', async () => {
  const evidence = await erase(options({ clock: system.clock }));
  expect(evidence.finishedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
});
