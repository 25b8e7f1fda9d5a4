import { expect, test } from 'vitest';
import { planErasure } from '../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../src/governance/index.ts';
import { nameFindings, type ReadLineage } from '../../src/lineage/index.ts';
import { readBothWays } from './support.ts';

const RUN = '7f3b1f2e-0000-4000-8000-000000000001';

interface Said {
  readonly facets?: Readonly<Record<string, unknown>>;
  readonly jobFacets?: Readonly<Record<string, unknown>>;
}

/** An event that fills `m.t` from `s.u`, as a line of a file. */
function event({ facets = {}, jobFacets = {} }: Said = {}): string {
  const input = { namespace: 'lake', name: 's.u', field: 'id' };
  return JSON.stringify({
    eventTime: '2026-10-01T00:00:00Z',
    eventType: 'COMPLETE',
    run: { runId: RUN },
    job: { namespace: 'n', name: 'j', facets: jobFacets },
    inputs: [{ namespace: 'lake', name: 's.u' }],
    outputs: [
      {
        namespace: 'lake',
        name: 'm.t',
        facets: { columnLineage: { fields: { id: { inputFields: [input] } } }, ...facets },
      },
    ],
  });
}

function from(...lines: readonly string[]): ReadLineage['from'] {
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(lines.join('\n'));
  };
  return [{ name: 'lake/events.ndjson', bytes: { [Symbol.asyncIterator]: bytes } }];
}

const url = (name: string): string => `https://openlineage.io/spec/facets/2-0-0/${name}.json#/$defs/${name}`;

test.each<[string, Said]>([
  ['schema', { facets: { schema: { _schemaURL: url('Schema'), fields: [{ name: 'id' }] } } }],
  ['symlinks', { facets: { symlinks: { _schemaURL: url('Symlinks'), identifiers: [] } } }],
  ['lifecycleStateChange', { facets: { lifecycleStateChange: { _schemaURL: url('Lifecycle') } } }],
  ['columnLineage', { facets: { columnLineage: { _schemaURL: url('ColumnLineage'), fields: {} } } }],
  ['lineage', { jobFacets: { lineage: { _schemaURL: url('Lineage'), entries: [] } } }],
])(
  'a %s facet of a version from the future is read as far as it is known, and reported with its place',
  async (name, said) => {
    const { events, skipped } = await readBothWays({ from: from(event(), event(said)) });
    expect(events).toBe(2);
    expect(skipped).toEqual([
      {
        file: 'lake/events.ndjson',
        line: 2,
        run: RUN,
        why: `${name} is of version 2-0-0, which is not known; it was read as 1`,
      },
    ]);
  },
);

test('symlinks that contradict each other are told with the event that has the last of them', async () => {
  const names = ['m.a', 'm.b'].map((name) => ({ namespace: 'hive://h', name, type: 'TABLE' }));
  const lineage = await readBothWays({
    from: from(
      event({ facets: { symlinks: { identifiers: [names[0]] } } }),
      event({ facets: { symlinks: { identifiers: [names[1]] } } }),
    ),
  });
  expect(nameFindings(lineage)).toEqual([
    {
      code: 'contradictory-symlinks',
      table: 'm.a',
      what: 'its symlinks name several tables: m.a, m.b',
      at: { file: 'lake/events.ndjson', line: 2, run: RUN },
    },
  ]);
});

const PATTERNS = `
[datasets]
"lake m.t" = "m.same"

[[patterns]]
namespace = "postgres*"
name = "s.u"
table = "m.same"

[[patterns]]
namespace = "nowhere"
name = "{rest...}"
table = "{rest}"
`;

test('a pattern that sends another dataset to a table, and one that matches nothing, are told with their lines', async () => {
  const { names } = parseGovernance({ 'retention.toml': '', 'lineage.toml': PATTERNS });
  const lineage = await readBothWays({
    from: [[{ ...JSON.parse(event()), inputs: [{ namespace: 'postgres://db', name: 's.u' }] }]],
    names,
  });
  expect(
    nameFindings(lineage, names).map(({ code, table, at }) => ({ code, table, line: at?.line })),
  ).toEqual([
    { code: 'matches-nothing', table: null, line: 10 },
    { code: 'shared-table', table: 'm.same', line: 5 },
  ]);
});

const RETENTION = `
[erasure.subjects.person]
id_type = "long"
id_columns = ["id"]
identifying = []

[erasure.decisions."m.t"]
action = "ignore"
answers = ["cast-key"]
reason = "a test"
decided_by = "DPO"
`;

test('a column that the table lacks, and a decision for a table that needs none, are told with their places', async () => {
  const governance = parseGovernance({ 'retention.toml': RETENTION });
  const fields = Object.fromEntries(
    ['id', 'ghost', 'NAME'].map((name) => [
      name,
      {
        inputFields: [
          {
            namespace: 'lake',
            name: 's.u',
            field: 'id',
            transformations: [{ type: 'DIRECT', subtype: 'IDENTITY' }],
          },
        ],
      },
    ]),
  );
  const lineage = await readBothWays({ from: from('', event({ facets: { columnLineage: { fields } } })) });
  const plan = planErasure({
    governance,
    lineage,
    tables: [
      { table: 's.u', columns: [{ name: 'id', type: 'long' }] },
      {
        table: 'm.t',
        columns: [
          { name: 'id', type: 'long' },
          { name: 'name', type: 'string' },
        ],
      },
    ],
    subject: 'person',
  });
  expect(plan.findings).toHaveLength(2);
  expect(plan.findings).toContainEqual({
    code: 'needless-decision',
    table: 'm.t',
    what: 'the decision answers cast-key, which is no question here',
    at: { file: 'retention.toml', line: 7 },
  });
  expect(plan.findings).toContainEqual({
    code: 'unknown-column',
    table: 'm.t',
    what: 'lineage fills ghost, which the table lacks',
    at: { file: 'events.ndjson', line: 2, run: RUN },
  });
});
