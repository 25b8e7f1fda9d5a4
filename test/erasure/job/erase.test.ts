import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { system } from '../../../src/cli/system.ts';
import { bindPlan, footprint, isClean, STAGES, storedTraces } from '../../../src/erasure/index.ts';
import { erasedRows } from '../../../src/register/index.ts';
import { noteTraces, scan } from '../../../src/scan/index.ts';
import { arrow, eraseIn, type Lake, PERSON, ROWS_LEFT, rowsOf } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const lake = lakeOfEachTest();

test('E1: one job takes the person out of every table, snapshot and file', async () => {
  const evidence = await eraseIn(lake);
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

test('E7: zero rows deleted is a result, because every file was read and none holds the person', async () => {
  const evidence = await eraseIn(lake, { ids: [999_999] });
  expect(evidence.totals.rows).toBe(0);
  expect(evidence.totals.filesRead).toBeGreaterThan(20);
  expect(isClean(evidence)).toBe(true);
});

test('E7: a file that still holds the person leaves the request open, and the next run ends it', async () => {
  const stray = join(lake.dir, 'warehouse', 'crm', 'learners', 'data', 'left-by-a-crash.csv');
  await writeFile(stray, `x,${PERSON.email}\n`);
  const open = await eraseIn(lake);
  expect(isClean(open)).toBe(false);
  expect(open.totals).toMatchObject({ rows: 3, filesHolding: 1 });
  expect(open.young.map(({ table }) => table)).toEqual(['crm.learners']);
  expect(open.young[0]!.file).toMatch(/left-by-a-crash\.csv$/);
  expect((await lake.register.entries()).map(({ state }) => state)).toEqual(['open']);
  const traces = await storedTraces({ state: lake.folders.state, request: 'erasure-0001' });
  expect((await scan({ warehouse: lake.warehouse, traces })).totals.holding).toBe(1);
  // Unfinished, but not part-way: another request need not wait for the day on which the file can go.
  await eraseIn(lake, { request: 'erasure-0002', ids: [2] });
  const ended = await eraseIn(lake, { minAgeMs: 0 });
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

test('a dry run tells what the job would do in the same document, and changes nothing', async () => {
  const before = await readdir(lake.dir, { recursive: true });
  const foretold = await eraseIn(lake, { dryRun: true });
  expect((await readdir(lake.dir, { recursive: true })).sort()).toEqual(before.sort());
  const done = await eraseIn(lake);
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
  const evidence = await eraseIn(lake, {
    progress: (event) => {
      if (event.kind === 'stage') stages.push(event.stage);
      if (event.kind === 'table') tables.set(event.stage, [...(tables.get(event.stage) ?? []), event.table]);
      if (event.kind === 'file') files += 1;
    },
  });
  expect(stages).toEqual([...STAGES]);
  expect(tables.get('delete')).toEqual(['crm.learners', 'learning.reviews', 'support.tickets', 'ai.corpus']);
  expect(tables.get('scrub')).toHaveLength(6);
  expect(files).toBe(evidence.totals.filesRead);
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
  const found = await eraseIn(lake, { jobs });
  expect(found.tables.filter(({ filesHolding }) => filesHolding > 0).map(({ table }) => table)).toEqual([
    'crm.learners',
  ]);
  expect((await erasedRows(lake.register, lake)).tables.find(({ rows }) => rows > 0)).toMatchObject({
    table: 'crm.learners',
    requests: ['erasure-0001'],
  });
  const ended = await eraseIn(lake, { jobs });
  expect(isClean(ended)).toBe(true);
  expect(ended.totals.rows).toBe(4);
  expect(loads).toBe(2);
  expect((await erasedRows(lake.register, lake)).total).toBe(0);
});

test('several people of one request are erased in one rewrite of each table', async () => {
  const evidence = await eraseIn(lake, { ids: [PERSON.id, 1] });
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

test('the clock of the system is one that the job takes', async () => {
  const evidence = await eraseIn(lake, { clock: system.clock });
  expect(evidence.finishedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
});
