import { expect, test } from 'vitest';
import type { JobRun } from '../support/openlineage.ts';
import { lineageOf, lines } from './support.ts';

const SPARK = 'https://github.com/OpenLineage/OpenLineage/tree/1.53.0/integration/spark';

/** An early copy of a column that a later run no longer writes. */
const early: JobRun = { job: 'early', output: 'm.t', columns: { old: ['s.u.id'] }, at: 1 };
const later: JobRun = {
  job: 'app.overwrite_by_expression.m_t',
  producer: SPARK,
  output: 'm.t',
  columns: { now: ['s.v.id'] },
  lifecycle: 'OVERWRITE',
  sql: 'INSERT OVERWRITE m.t SELECT id FROM s.v',
  statistics: true,
  at: 2,
};

async function edgesAfter(...runs: readonly JobRun[]): Promise<readonly string[]> {
  return lines((await lineageOf(...runs)).edges);
}

const both = ['s.v.id -> m.t.now identity', 's.u.id -> m.t.old identity'];

test('L3: a completed overwrite with statistics retires what was there before', async () => {
  expect(await edgesAfter(early, later)).toEqual(['s.v.id -> m.t.now identity']);
  expect(await edgesAfter(later, early)).toEqual(['s.v.id -> m.t.now identity']);
});

test.each([
  ['fails, whatever follows it', { states: ['START', 'RUNNING', 'FAIL', 'COMPLETE'] }],
  ['never ends', { states: ['START', 'RUNNING'] }],
  ['has no output statistics', { statistics: false }],
  [
    'overwrites a partition',
    { sql: "INSERT OVERWRITE m.t PARTITION (day = '2026-09-01') SELECT id FROM s.v" },
  ],
  ['says nothing of what it overwrites', { sql: '' }],
  ['overwrites partitions by what it writes', { job: 'app.overwrite_partitions_dynamic.m_t' }],
  ['comes from a producer of whom nothing is known', { producer: 'https://example.com' }],
  ['only appends', { job: 'app.append_data.m_t' }],
])('L3: an overwrite that %s retires nothing', async (_, change) => {
  expect(await edgesAfter(early, { ...later, ...change } as JobRun)).toEqual(both);
});

test('L3: a newer run that lacks an edge never retires it', async () => {
  const newer: JobRun = { job: 'early', output: 'm.t', columns: { now: ['s.v.id'] }, at: 2 };
  expect(await edgesAfter(early, newer)).toEqual(both);
});

test.each(['DROP', 'TRUNCATE'] as const)(
  'L3: a %s retires edges once its run completed',
  async (lifecycle) => {
    const drop: JobRun = { job: 'ddl', output: 'm.t', lifecycle, inputs: [], at: 3 };
    expect(await edgesAfter(early, drop)).toEqual([]);
    expect(await edgesAfter(early, { ...drop, states: ['START', 'FAIL'] })).toEqual([
      's.u.id -> m.t.old identity',
    ]);
    // What was written afterwards stays.
    expect(await edgesAfter(early, drop, { ...later, at: 4 })).toEqual(['s.v.id -> m.t.now identity']);
  },
);

test('L3: a run that was still going when the table was emptied keeps its edges', async () => {
  const long: JobRun = { ...early, states: ['START', 'RUNNING', 'COMPLETE'], at: 1.99 };
  expect(await edgesAfter(long, later)).toEqual(both);
});

test('L3: a failed run’s edges stay possible', async () => {
  const failed: JobRun = { ...early, states: ['START', 'FAIL'] };
  const { writes, edges } = await lineageOf(failed);
  expect(lines(edges)).toEqual(['s.u.id -> m.t.old identity']);
  expect(writes[0]!.ended).toBe('failed');
});

test('a dropped table is known as one until it is written again', async () => {
  const drop: JobRun = { job: 'ddl', output: 'm.t', lifecycle: 'DROP', inputs: [], at: 3 };
  const dropped = async (...runs: readonly JobRun[]) =>
    (await lineageOf(...runs)).tables.find(({ table }) => table === 'm.t')!.dropped;
  expect(await dropped(early, drop)).toBe(true);
  expect(await dropped(early, drop, { ...later, at: 4 })).toBe(false);
});
