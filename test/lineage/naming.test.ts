import { expect, test } from 'vitest';
import { parseGovernance } from '../../src/governance/index.ts';
import { datasetNames, nearestTables, readLineage } from '../../src/lineage/index.ts';
import { NearestTables } from '../../src/lineage/names/nearest-tables.ts';
import { localStorage } from '../../src/storage/index.ts';
import { sharedPath, sharedReason } from '../support/shared.ts';

interface Written {
  readonly namespace: string;
  readonly name: string;
  readonly symlinks?: readonly (readonly [namespace: string, name: string])[];
}

const event = ({ namespace, name, symlinks = [] }: Written): unknown => ({
  job: { namespace: 'n', name: 'j' },
  outputs: [
    {
      namespace,
      name,
      facets: {
        symlinks: {
          identifiers: symlinks.map(([ns, table]) => ({ namespace: ns, name: table, type: 'TABLE' })),
        },
      },
    },
  ],
});

const namesOf = (toml: string) => parseGovernance({ 'retention.toml': '', 'lineage.toml': toml }).names;

async function report(datasets: readonly Written[], tables: readonly string[] = [], toml = '') {
  const declared = namesOf(toml);
  const lineage = await readLineage({ from: [datasets.map(event)], names: declared, tables });
  return datasetNames({ lineage, tables, declared });
}

const GLUE = 'arn:aws:glue:eu-west-1:123456789012';

test.each<[string, Written, string | null]>([
  [
    'Spark on S3 with a Hive symlink',
    { namespace: 's3://lake', name: 'wh/crm.db/learners', symlinks: [['hive://ms:9083', 'crm.learners']] },
    'crm.learners',
  ],
  [
    'Spark on S3 with a Glue symlink',
    { namespace: 's3a://lake', name: 'wh/crm/learners', symlinks: [[GLUE, 'table/crm/learners']] },
    'crm.learners',
  ],
  [
    'Spark on S3 in Hive’s folders, without symlinks',
    { namespace: 's3://lake', name: '/wh/crm.db/learners' },
    'crm.learners',
  ],
  [
    'a folder on S3 that no catalog is known for',
    { namespace: 's3://lake', name: 'backup/crm/learners' },
    null,
  ],
  [
    'an Iceberg catalog’s folder',
    { namespace: 'file', name: '/wh/crm/learners', symlinks: [['file:/wh', 'crm.learners']] },
    'crm.learners',
  ],
  [
    'an Iceberg REST catalog that puts its own name first',
    { namespace: 's3://lake', name: 'x/1f', symlinks: [['https://rest/ws', 'lake.crm.learners']] },
    'crm.learners',
  ],
  ['Hive', { namespace: 'hive://ms:9083', name: 'crm.learners' }, 'crm.learners'],
  ['Glue', { namespace: GLUE, name: 'table/crm/learners' }, 'crm.learners'],
  ['Trino', { namespace: 'trino://t:8080', name: 'iceberg.crm.learners' }, 'crm.learners'],
  [
    'dbt on DuckDB',
    { namespace: 'duckdb:///lake/platform.duckdb', name: 'platform.crm.learners' },
    'crm.learners',
  ],
  ['BigQuery', { namespace: 'bigquery', name: 'project-1.crm.learners' }, 'crm.learners'],
  [
    'BigQuery with a partition',
    { namespace: 'bigquery', name: 'project-1.crm.learners$20261001' },
    'crm.learners',
  ],
  ['Snowflake', { namespace: 'snowflake://org-acc', name: 'PROD.CRM.LEARNERS' }, 'crm.learners'],
  [
    'Snowflake, quoted',
    { namespace: 'snowflake://org-acc', name: '"PROD"."CRM"."LEARNERS"' },
    'crm.learners',
  ],
  ['Postgres', { namespace: 'postgres://db:5432', name: 'app.crm.learners' }, 'crm.learners'],
  ['Redshift', { namespace: 'redshift://c.eu-west-1:5439', name: 'app.crm.learners' }, 'crm.learners'],
  ['Databricks', { namespace: 'databricks://dbc.cloud', name: 'main.crm.learners' }, 'crm.learners'],
  ['a topic', { namespace: 'kafka://k:9092', name: 'crm.learners' }, null],
])('L2a: %s', async (_, dataset, table) => {
  const { datasets, findings } = await report([dataset], ['crm.learners']);
  expect(datasets.map((named) => named.table)).toEqual([table]);
  expect(findings).toEqual([]);
});

test('L2a: Hive’s folders under two roots are two copies, and neither is guessed to be the table', async () => {
  const { datasets } = await report(
    ['wh', 'backup'].map((root) => ({ namespace: 's3://lake', name: `${root}/crm.db/learners` })),
    ['crm.learners'],
  );
  expect(datasets.map(({ state, table }) => [state, table])).toEqual([
    ['unmapped', null],
    ['unmapped', null],
  ]);
  expect(datasets[0]!.candidates).toEqual(['crm.learners']);
});

test('L2a: the rule and its line are told, and for the unmapped what is near', async () => {
  const toml = `[datasets]
"postgres://db:5432 app.public.people" = "crm.learners"
[ignored]
"kafka://* clicks" = "a topic"
[[patterns]]
namespace = "s3://lake"
name = "raw/{table}"
table = "raw.{table}"
`;
  const { datasets, findings } = await report(
    [
      { namespace: 'postgres://db:5432', name: 'app.public.people' },
      { namespace: 'kafka://k', name: 'clicks' },
      { namespace: 's3://lake', name: 'raw/clicks' },
      { namespace: 'hive://ms', name: 'old.leaners' },
    ],
    ['crm.learners', 'raw.clicks'],
    toml,
  );
  expect(
    datasets.map(({ name, table, by, state, declared }) => [name, table, by, state, declared?.line]),
  ).toEqual([
    ['old.leaners', 'old.leaners', 'naming', 'unmapped', undefined],
    ['clicks', null, 'ignored', 'left-out', 4],
    ['app.public.people', 'crm.learners', 'datasets', 'mapped', 2],
    ['raw/clicks', 'raw.clicks', 'patterns', 'mapped', 5],
  ]);
  expect(datasets[0]!.candidates).toEqual(['crm.learners']);
  expect(findings).toEqual([]);
});

test('candidates that share more of their name come first', () => {
  expect(nearestTables('/wh/crm.db/orders', ['old.orders', 'crm.orders', 'crm.other'])).toEqual([
    'crm.orders',
    'old.orders',
  ]);
  expect(nearestTables('zzz', ['crm.orders'])).toEqual([]);
});

const PATTERN = `
[[patterns]]
namespace = "postgres://*"
name = "{database}.{schema}.{table}"
table = "{schema}.{table}"
`;

test.each<[string, readonly Written[], string, number]>([
  [
    'a pattern that drops the database',
    [
      { namespace: 'postgres://db', name: 'app.crm.learners' },
      { namespace: 'postgres://db', name: 'old.crm.learners' },
    ],
    PATTERN,
    1,
  ],
  [
    'one name on two servers',
    [
      { namespace: 'postgres://a', name: 'app.crm.learners' },
      { namespace: 'postgres://b', name: 'app.crm.learners' },
    ],
    '',
    1,
  ],
  [
    'a database and the lake',
    [
      { namespace: 'postgres://a', name: 'app.crm.learners' },
      { namespace: 'hive://ms', name: 'crm.learners' },
    ],
    '',
    1,
  ],
  [
    'two names on purpose',
    [
      { namespace: 'postgres://a', name: 'app.crm.learners' },
      { namespace: 'postgres://b', name: 'app.crm.learners' },
    ],
    '[datasets]\n"postgres://a app.crm.learners" = "crm.learners"\n"postgres://b app.crm.learners" = "crm.learners"',
    0,
  ],
  [
    'the names that Spark, Hive, Glue and Trino have for one table',
    [
      { namespace: 's3://lake', name: 'wh/crm/learners', symlinks: [[GLUE, 'table/crm/learners']] },
      { namespace: 's3a://lake', name: '/wh/crm/learners', symlinks: [[GLUE, 'table/crm/learners']] },
      { namespace: 'hive://ms', name: 'crm.learners' },
      { namespace: GLUE, name: 'table/crm/learners' },
      { namespace: 'trino://t', name: 'iceberg.crm.learners' },
    ],
    '',
    0,
  ],
])('L2b: %s', async (_, datasets, toml, found) => {
  const { findings } = await report(datasets, ['crm.learners'], toml);
  expect(findings.filter(({ code }) => code === 'shared-table')).toHaveLength(found);
  if (toml === PATTERN) expect(findings[0]!.at).toMatchObject({ file: 'lineage.toml', line: 2 });
});

test('symlinks that contradict each other are told with the event that has the last of them', async () => {
  const { findings } = await report([
    { namespace: 'file', name: '/x', symlinks: [['file:/wh', 'a.t']] },
    { namespace: 'file', name: '/x', symlinks: [['file:/wh', 'b.t']] },
  ]);
  expect(findings).toEqual([
    {
      code: 'contradictory-symlinks',
      table: 'a.t',
      what: 'its symlinks name several tables: a.t, b.t',
      at: { file: 'memory', line: 2 },
    },
  ]);
});

test('names that differ in case alone are told, unless the store writes all its names so (hazard 30)', async () => {
  const near = await report([{ namespace: 'hive://ms', name: 'crm.Learners' }], ['crm.learners']);
  expect(near.datasets[0]).toMatchObject({ table: 'crm.learners', state: 'mapped' });
  expect(near.findings.map(({ code }) => code)).toEqual(['case-near-miss']);
  const two = await report(
    [{ namespace: 'hive://ms', name: 'crm.LEARNERS' }],
    ['crm.learners', 'crm.Learners'],
  );
  expect(two.datasets[0]).toMatchObject({ table: 'crm.LEARNERS', state: 'unmapped' });
  expect(two.datasets[0]!.candidates).toEqual(['crm.Learners', 'crm.learners']);
});

test('entries of lineage.toml that meet nothing are told with their lines', async () => {
  const toml = `[datasets]
"hive://ms crm.learnes" = "crm.learners"
[ignored]
"kafka://* click" = "a topic"
[[patterns]]
namespace = "s3://lakes"
name = "{table}"
table = "raw.{table}"
`;
  const { findings } = await report(
    [{ namespace: 'hive://ms', name: 'crm.learners' }],
    ['crm.learners'],
    toml,
  );
  expect(findings.map(({ code, at }) => [code, at?.line])).toEqual([
    ['matches-nothing', 2],
    ['matches-nothing', 4],
    ['matches-nothing', 5],
  ]);
});

const samples = sharedPath('samples', 'openlineage');

test.skipIf(samples === null).each([
  ['compat/spark-hive-insert-05.json', ['default.t1']],
  [
    'compat/producer-expectations/dbt__csv_to_postgres__events__customers__column_lineage_event.json',
    ['main.stg_customers'],
  ],
  [
    'compat/producer-expectations/hive_dataproc__aggregate_job__events__columnLineage.json',
    ['default.monthly_transaction_summary'],
  ],
  ['dbt/dbt-bigquery-structured-logs.array.json', ['jaffle_shop.stg_locations', 'raw.raw_stores']],
  ['spark/columnLineageJDBCStart.json', ['default.v2_source_1', 'default.v2_source_2']],
  ['hive/cllCaseInsensitivityComplete.json', ['test.monthly_transaction_summary', 'test.transactions']],
  ['spark-1.53.0/alias_trap/events.ndjson', ['learning.enrollments', 'mart.alias_trap']],
  ['dbt-ol-1.54.0/d3_run_first/events.ndjson', ['crm.learners']],
])(
  `L2a: real events of %s${samples === null ? `, ${sharedReason('samples', 'openlineage')}` : ''}`,
  async (file, tables) => {
    const lineage = await readLineage({ from: [`${samples}/${file}`], storage: localStorage() });
    const named = lineage.datasets.map(({ table }) => table);
    expect(named).toEqual(expect.arrayContaining([...tables]));
  },
);

test('candidates for many names: the very name always, a near one for the first thousand that differ', () => {
  const near = new NearestTables(['crm.orders', 'crm.learners']);
  for (let at = 0; at < 1000; at++) expect(near.of(`far_away_${'z'.repeat(12)}_${at}`)).toEqual([]);
  expect(near.of('raw.ORDERS')).toEqual(['crm.orders']);
  expect(near.of('raw.learnres')).toEqual([]);
  expect(new NearestTables(['crm.learners']).of('raw.learnres')).toEqual(['crm.learners']);
});
