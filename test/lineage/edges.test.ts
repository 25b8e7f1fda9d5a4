import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnGraph, columnKey, downstream, readLineage } from '../../src/lineage/index.ts';
import { runEvents } from '../support/openlineage.ts';
import { lineageOf, lines } from './support.ts';

const SPARK = 'https://github.com/OpenLineage/OpenLineage/tree/1.53.0/integration/spark';
const DBT = 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt';

test('L1a: an edge has each role that the events name, masked or not', async () => {
  const { edges } = await lineageOf({
    job: 'j',
    output: 'm.t',
    columns: {
      a: [['s.u.id', 'IDENTITY']],
      b: [['s.u.id', 'TRANSFORMATION']],
      c: [['s.u.id', 'HASH']],
      d: [['s.u.id', 'AGGREGATION']],
      e: [['s.u.id', 'COUNT']],
      f: [['s.u.id', '?']],
      g: [['s.u.id', 'SORT', 'WINDOW', 'CONDITIONAL']],
    },
    rows: [['s.u.id', 'JOIN', 'GROUP_BY', 'FILTER']],
  });
  expect(lines(edges)).toEqual([
    's.u.id -> m.t.* join, group-by, filter',
    's.u.id -> m.t.a identity',
    's.u.id -> m.t.b transformation',
    's.u.id -> m.t.c transformation-masked',
    's.u.id -> m.t.d aggregation',
    's.u.id -> m.t.e aggregation-masked',
    's.u.id -> m.t.f unknown',
    's.u.id -> m.t.g sort, window, conditional',
  ]);
});

test('L1b: roles are the union over events, runs and sibling runs of one job', async () => {
  const first = { job: 'j', output: 'm.t', columns: { a: [['s.u.id', 'IDENTITY'] as const] } };
  const second = { job: 'j', output: 'm.t', columns: { a: [['s.u.id', 'TRANSFORMATION'] as const] }, at: 1 };
  const { edges } = await lineageOf(first, second);
  expect(lines(edges)).toEqual(['s.u.id -> m.t.a identity, transformation']);
});

test('L1b: the order of events and duplicates change nothing', async () => {
  const runs = ['a', 'b', 'c'].flatMap((column, at) =>
    runEvents({ job: 'j', output: 'm.t', columns: { [column]: ['s.u.id', 's.v.id'] }, at }),
  );
  const { edges } = await readLineage({ from: [runs] });
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...runs, ...runs], { minLength: 2 * runs.length, maxLength: 2 * runs.length }),
      async (shuffled) => {
        expect((await readLineage({ from: [shuffled] })).edges).toEqual(edges);
      },
    ),
    { seed: 4, numRuns: 30 },
  );
});

test('L1b: a facet that a later event lacks still counts', async () => {
  const [start, complete] = runEvents({ job: 'j', output: 'm.t', columns: { a: ['s.u.id'] } });
  const swapped = [
    { ...complete, eventType: 'START' },
    { ...start, eventType: 'COMPLETE' },
  ];
  expect(lines((await readLineage({ from: [swapped] })).edges)).toEqual(['s.u.id -> m.t.a identity']);
});

test.each([
  ['no transformations', {}, 'unknown'],
  ['an empty list', { transformations: [] }, 'unknown'],
  ['a type that nobody knows', { transformations: [{ type: 'DIRECT', subtype: 'MAGIC' }] }, 'unknown'],
  ['what every object has', { transformations: [{ type: 'DIRECT', subtype: 'constructor' }] }, 'unknown'],
  ['the same, indirect', { transformations: [{ type: 'INDIRECT', subtype: '__proto__' }] }, 'unknown'],
  ['no subtype', { transformations: [{ type: 'INDIRECT' }] }, 'unknown'],
  ['null', { transformations: [null] }, 'unknown'],
])('L1b: %s is unknown, never identity', async (_, extra, role) => {
  const event = {
    run: { runId: 'r' },
    job: { namespace: 'n', name: 'j' },
    outputs: [
      {
        namespace: 'lake',
        name: 'm.t',
        facets: {
          columnLineage: {
            fields: { a: { inputFields: [{ namespace: 'lake', name: 's.u', field: 'id', ...extra }] } },
          },
        },
      },
    ],
  };
  expect(lines((await readLineage({ from: [[event]] })).edges)).toEqual([`s.u.id -> m.t.a ${role}`]);
});

test('L1b: the older type of a whole field counts only where its inputs say nothing themselves', async () => {
  const input = { namespace: 'lake', name: 's.u', field: 'id' };
  const field = (transformationType: string, transformations: unknown[]) => ({
    transformationType,
    inputFields: [{ ...input, transformations }],
  });
  const fields = {
    copied: field('IDENTITY', []),
    masked: field('MASKED', []),
    empty: field('', []),
    contradicted: field('IDENTITY', [{ type: 'INDIRECT', subtype: 'JOIN' }]),
  };
  const event = {
    job: { namespace: 'n', name: 'j' },
    outputs: [{ namespace: 'lake', name: 'm.t', facets: { columnLineage: { fields } } }],
  };
  expect(lines((await readLineage({ from: [[event]] })).edges)).toEqual([
    's.u.id -> m.t.contradicted join',
    's.u.id -> m.t.copied identity',
    's.u.id -> m.t.empty unknown',
    's.u.id -> m.t.masked transformation-masked',
  ]);
});

test('L1c: without a column facet every input may have given anything', async () => {
  const { edges, writes } = await lineageOf({ job: 'j', output: 'm.t', inputs: ['s.u', 's.v'] });
  expect(lines(edges)).toEqual(['s.u.* -> m.t.* unknown', 's.v.* -> m.t.* unknown']);
  expect(writes[0]!.opaque).toEqual(['s.u', 's.v']);
});

test('L1c: an input that a whole facet of Spark leaves out gave no value; one that others leave out may have', async () => {
  const schema = { schema: { fields: [{ name: 'a', type: 'long' }] } };
  const run = { job: 'j', output: 'm.t', columns: { a: ['s.u.id'] }, inputs: ['s.u', 's.v'] };
  const withSchema = (producer?: string) =>
    runEvents(producer === undefined ? run : { ...run, producer }).map((event) => ({
      ...event,
      outputs: (event.outputs as { facets: object }[]).map((output) => ({
        ...output,
        facets: { ...output.facets, ...schema },
      })),
    }));
  const spark = await readLineage({ from: [withSchema(SPARK)] });
  expect(lines(spark.edges)).toEqual(['s.u.id -> m.t.a identity']);
  const other = await readLineage({ from: [withSchema()] });
  expect(lines(other.edges)).toEqual(['s.v.* -> m.t.* unknown', 's.u.id -> m.t.a identity']);
});

test('a dot in the name of a column or of a field of a struct stays in the name', async () => {
  const field = { namespace: 'lake', name: 's.u', field: 'person.id' };
  const transformations = [{ type: 'DIRECT', subtype: 'IDENTITY' }];
  const fields = { 'a.b': { inputFields: [{ ...field, transformations }] } };
  const event = {
    job: { namespace: 'n', name: 'j' },
    outputs: [{ namespace: 'lake', name: 'm.t', facets: { columnLineage: { fields } } }],
  };
  const { edges } = await readLineage({ from: [[event]] });
  expect(edges).toMatchObject([
    { from: { table: 's.u', column: 'person.id' }, to: { table: 'm.t', column: 'a.b' }, roles: ['identity'] },
  ]);
});

test('L1d: Iceberg’s reserved names are no columns; any other is kept though its schema facet lacks it', async () => {
  const { edges } = await lineageOf({
    job: 'j',
    output: 'm.t',
    columns: { a: ['s.u._file', 's.u._id'], _pos: ['s.u.id'] },
    rows: [['s.u._partition', 'FILTER']],
  });
  expect(lines(edges)).toEqual(['s.u._id -> m.t.a identity']);
});

test('L1e: a direct role in a dataset-level list is indirect, and may be more', async () => {
  const { edges } = await lineageOf({
    job: 'j',
    output: 'm.t',
    columns: { a: ['s.u.id'] },
    rows: [['s.u.id', 'IDENTITY', 'JOIN']],
  });
  expect(lines(edges)).toEqual(['s.u.id -> m.t.* unknown, join', 's.u.id -> m.t.a identity']);
});

test.each(['app.replace_data.m_t', 'app.write_delta.m_t', 'app.execute_merge_into_command.m_t'])(
  'L1f: an input of %s without a value edge may be anything, though the facet names every column',
  async (job) => {
    const { edges, writes } = await lineageOf({
      job,
      producer: SPARK,
      output: 'm.t',
      columns: { a: ['m.t.a'], b: ['m.t.b', 's.v.b'] },
      rows: [['s.u.a', 'JOIN']],
    });
    expect(writes[0]).toMatchObject({ rowLevel: true, opaque: ['s.u'], replaces: 'part' });
    expect(lines(edges)).toContain('s.u.* -> m.t.* unknown');
    // Column a comes only from itself: its source is unknown.
    expect(lines(edges)).toContain('s.v.* -> m.t.a unknown');
    expect(lines(edges)).not.toContain('s.v.* -> m.t.b unknown');
  },
);

test('L1f: a merge is known by its text too', async () => {
  const { writes } = await lineageOf({
    job: 'nightly',
    output: 'm.t',
    columns: { a: ['m.t.a'] },
    inputs: ['s.u'],
    sql: 'MERGE INTO m.t USING s.u ON m.t.a = s.u.a WHEN MATCHED THEN UPDATE SET *',
  });
  expect(writes[0]).toMatchObject({ rowLevel: true, opaque: ['s.u'] });
});

test('L1g: a producer that parses a SELECT is known as one', async () => {
  const { writes } = await lineageOf({
    job: 'j',
    output: 'm.t',
    columns: { a: [['s.u.id', '?']] },
    producer: DBT,
  });
  expect(writes[0]!.parsed).toBe(true);
});

test('L4: reach is what edges lead to, in cycles and diamonds too', async () => {
  const lineage = await lineageOf(
    { job: '1', output: 'm.a', columns: { x: ['s.u.id', 'm.d.x'] } },
    { job: '2', output: 'm.b', columns: { x: ['m.a.x'] } },
    { job: '3', output: 'm.c', columns: { x: ['m.a.x'] } },
    { job: '4', output: 'm.d', columns: { x: ['m.b.x', 'm.c.x'] } },
    { job: '5', output: 'm.other', columns: { x: ['s.v.id'] } },
  );
  const graph = columnGraph(lineage);
  const reached = downstream(graph, [{ table: 's.u', column: 'id' }]).map(columnKey);
  expect(reached.sort()).toEqual(['m.a\nx', 'm.b\nx', 'm.c\nx', 'm.d\nx']);
});

test('L4: a walk over random edges reaches the transitive closure, computed another way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 25 }),
      fc.nat(7),
      async (pairs, start) => {
        const lineage = await lineageOf(
          ...pairs.map(([from, to], at) => ({
            job: `j${at}`,
            output: `m.t${to}`,
            columns: { x: [`m.t${from}.x`] },
          })),
        );
        const closure = new Set<number>();
        for (let pass = 0; pass <= 8; pass++)
          for (const [from, to] of pairs) if (from === start || closure.has(from)) closure.add(to);
        closure.delete(start);
        const reached = downstream(columnGraph(lineage), [{ table: `m.t${start}`, column: 'x' }]);
        expect(reached.map(({ table }) => table).sort()).toEqual([...closure].sort().map((at) => `m.t${at}`));
      },
    ),
    { seed: 7, numRuns: 200 },
  );
});

test('job and dataset events, events without a type or a time, and the lineage facet are read', async () => {
  const dataset = (name: string, facets = {}) => ({ namespace: 'lake', name, facets });
  const source = (name: string, field?: string, subtype?: string) => ({
    ...dataset(name),
    type: 'DATASET',
    ...(field === undefined ? {} : { field }),
    ...(subtype === undefined ? {} : { transformations: [{ type: 'DIRECT', subtype }] }),
  });
  const events = [
    {
      job: {
        namespace: 'n',
        name: 'static',
        facets: {
          lineage: {
            entries: [
              {
                ...source('m.a'),
                inputs: [source('s.u')],
                fields: { x: { inputs: [source('s.u', 'id', 'IDENTITY')] } },
              },
              { ...source('m.none'), inputs: [] },
            ],
          },
        },
      },
      inputs: [dataset('s.u'), dataset('s.unrelated')],
      outputs: [dataset('m.a'), dataset('m.none')],
    },
    { dataset: dataset('m.view', { lineage: { inputs: [source('m.a')] } }) },
    { dataset: dataset('m.described', { schema: { fields: [{ name: 'x' }] } }) },
  ];
  const { edges, events: read, skipped } = await readLineage({ from: [events] });
  expect({ read, skipped }).toEqual({ read: 3, skipped: [] });
  expect(lines(edges)).toEqual([
    's.u.* -> m.a.* unknown',
    's.u.id -> m.a.x identity',
    'm.a.* -> m.view.* unknown',
  ]);
});

test('a renamed table holds what it held under its old name', async () => {
  const made = runEvents({ job: 'j', output: 'm.old', columns: { k: ['s.u.id'] } });
  const renamed = {
    eventType: 'COMPLETE',
    run: { runId: 'r' },
    job: { namespace: 'n', name: 'ddl' },
    outputs: [
      {
        namespace: 'lake',
        name: 'm.new',
        facets: {
          lifecycleStateChange: {
            lifecycleStateChange: 'RENAME',
            previousIdentifier: { namespace: 'lake', name: 'm.old' },
          },
        },
      },
    ],
  };
  const { edges } = await readLineage({ from: [[renamed, ...made]] });
  expect(lines(edges)).toEqual(['m.old.k -> m.new.k identity', 's.u.id -> m.old.k identity']);
});
