import { expect, test } from 'vitest';
import { readLineage } from '../../src/lineage/index.ts';
import { runEvents } from '../support/openlineage.ts';
import { lineageOf, lines } from './support.ts';

const SPARK = 'https://github.com/OpenLineage/OpenLineage/tree/1.53.0/integration/spark';
const DBT = 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt';
const COPY = { job: 'j', output: 'm.t', columns: { id: ['s.u.id'] } } as const;

test.each([
  ['START', 'open'],
  ['RUNNING', 'open'],
  ['OTHER', 'open'],
  ['COMPLETE', 'complete'],
  ['FAIL', 'failed'],
  ['ABORT', 'failed'],
])('a run whose last event is %s is %s, and what it said counts', async (state, ended) => {
  const states = state === 'START' ? ['START'] : ['START', state];
  const { writes, edges } = await lineageOf({ ...COPY, states });
  expect(writes.map((write) => write.ended)).toEqual([ended]);
  expect(lines(edges)).toEqual(['s.u.id -> m.t.id identity']);
});

test('a streaming job that never completes counts from its first event on, with all that its later ones add', async () => {
  const states = ['START', ...Array.from({ length: 50 }, () => 'RUNNING')];
  const first = runEvents({ ...COPY, states, runId: 'stream' });
  const later = runEvents({
    ...COPY,
    columns: { name: ['s.u.name'] },
    states: ['RUNNING'],
    runId: 'stream',
    at: 9,
  });
  const { writes, edges } = await readLineage({ from: [[...first, ...later]] });
  expect(writes).toMatchObject([{ ended: 'open', runs: 1, lastRun: 'stream' }]);
  expect(lines(edges)).toEqual(['s.u.id -> m.t.id identity', 's.u.name -> m.t.name identity']);
});

test('several producers of one dataset: each write is known by its own, and none hides the other', async () => {
  const { writes, edges } = await lineageOf(
    { ...COPY, job: 'by spark', producer: SPARK },
    { ...COPY, job: 'by dbt', columns: { id: [['s.u.id', 'TRANSFORMATION']] }, producer: DBT },
  );
  expect(writes.map(({ job, parsed, marksDroppedRows }) => ({ job, parsed, marksDroppedRows }))).toEqual([
    { job: 'test by dbt', parsed: true, marksDroppedRows: false },
    { job: 'test by spark', parsed: false, marksDroppedRows: true },
  ]);
  expect(lines(edges)).toEqual(['s.u.id -> m.t.id transformation', 's.u.id -> m.t.id identity']);
});

test('hourly runs that say the same are one write, from the first event of the oldest to the newest run', async () => {
  const days = Array.from({ length: 400 }, (_, day) =>
    runEvents({ ...COPY, at: day, runId: `run ${day}`, states: ['COMPLETE'] }),
  ).flat();
  const { writes } = await readLineage({ from: [[...days.slice(200), ...days.slice(0, 200)]] });
  const [first, last] = [201, 200].map((line) => ({ file: 'memory', line }));
  expect(writes).toMatchObject([{ runs: 400, lastRun: 'run 399', firstAt: first, lastAt: last }]);
});

test('a write is placed at the event that says what it is made from, and not at the one that only began its run', async () => {
  const [begun, ended] = runEvents({ ...COPY, states: ['START', 'COMPLETE'] });
  const bare = { ...begun, outputs: [{ namespace: 'lake', name: 'm.t' }] };
  const placed = async (events: readonly unknown[]): Promise<unknown> =>
    (await readLineage({ from: [events] })).writes.map(({ firstAt, lastAt }) => [
      firstAt?.line,
      lastAt?.line,
    ]);
  expect(await placed([bare, ended, begun])).toEqual([[2, 2]]);
  expect(await placed([bare, bare])).toEqual([[1, 1]]);
});

test('nested fields of a schema are the column that they stand in, and change nothing of it', async () => {
  const [event] = runEvents(COPY);
  const inner = { name: 'city', type: 'string', fields: [{ name: 'deep', type: 'int' }] };
  const fields = [
    { name: 'id', type: 'long' },
    { name: 'address', type: 'struct', fields: [inner, { name: 'a.b', type: 'string' }] },
  ];
  const outputs = [{ namespace: 'lake', name: 'm.t', facets: { schema: { fields } } }];
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify({ ...event, outputs }));
  };
  for (const from of [[{ ...event, outputs }], { name: 'file', bytes: bytes() }]) {
    const { tables } = await readLineage({ from: [from] });
    expect(tables.find(({ table }) => table === 'm.t')!.columns).toEqual([
      { name: 'id', type: 'long' },
      { name: 'address', type: 'struct' },
    ]);
  }
});
