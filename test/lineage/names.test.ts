import { expect, test } from 'vitest';
import { parseGovernance } from '../../src/governance/index.ts';
import { type Dataset, readLineage } from '../../src/lineage/index.ts';

interface Named {
  readonly namespace: string;
  readonly name: string;
  readonly symlinks?: readonly (readonly [namespace: string, name: string, type?: string])[];
  readonly warehouse?: string;
}

async function map(
  datasets: readonly Named[],
  lineageToml?: string,
  tables?: readonly string[],
): Promise<readonly Dataset[]> {
  const events = datasets.map(({ namespace, name, symlinks, warehouse }) => ({
    job: { namespace: 'n', name: 'j' },
    outputs: [
      {
        namespace,
        name,
        facets: {
          ...(symlinks === undefined
            ? {}
            : {
                symlinks: {
                  identifiers: symlinks.map(([ns, table, type = 'TABLE']) => ({
                    namespace: ns,
                    name: table,
                    type,
                  })),
                },
              }),
          ...(warehouse === undefined ? {} : { catalog: { warehouseUri: warehouse } }),
        },
      },
    ],
  }));
  const names =
    lineageToml === undefined
      ? undefined
      : parseGovernance({ 'retention.toml': '', 'lineage.toml': lineageToml }).names;
  const read = await readLineage({
    from: [events],
    ...(names === undefined ? {} : { names }),
    ...(tables === undefined ? {} : { tables }),
  });
  return read.datasets;
}

async function tableOf(named: Named, lineageToml?: string, tables?: readonly string[]): Promise<string> {
  const found = (await map([named], lineageToml, tables)).find(({ name }) => name === named.name)!;
  return `${found.table} by ${found.by}`;
}

const LINEAGE = `
[datasets]
"postgres://db:5432 app.public.users" = "crm.users"

[[patterns]]
namespace = "s3://{bucket}"
name = "warehouse/{schema}.db/{table}"
table = "{schema}.{table}"

[[patterns]]
namespace = "hdfs://*"
name = "{rest...}/current"
table = "{rest...}"

[ignored]
"kafka://* clicks" = "a topic"
`;

test('L2a: exact names come first, then patterns, and ignored datasets map to none', async () => {
  const of = (namespace: string, name: string) => tableOf({ namespace, name }, LINEAGE);
  expect(await of('postgres://db:5432', 'app.public.users')).toBe('crm.users by datasets');
  expect(await of('s3://lake', 'warehouse/crm.db/learners')).toBe('crm.learners by patterns');
  expect(await of('hdfs://nn:8020', 'data/crm/learners/current')).toBe('data.crm.learners by patterns');
  expect(await of('kafka://broker:9092', 'clicks')).toBe('null by ignored');
  expect(await of('kafka://broker:9092', 'orders')).toBe('null by null');
  // One part is one part: nothing of a deeper folder is taken for a table.
  expect(await of('s3://lake', 'warehouse/crm.db/old/learners')).toBe('null by null');
});

test('L2a: a TABLE symlink names the table, without branch and metadata-table suffixes', async () => {
  const of = (link: string, namespace = 'file:/lake/warehouse') =>
    tableOf({ namespace: 'file', name: '/lake/warehouse/mart/t', symlinks: [[namespace, link]] });
  expect(await of('mart.t')).toBe('mart.t by symlink');
  expect(await of('mart.t.branch_audit')).toBe('mart.t by symlink');
  expect(await of('mart.t.entries')).toBe('mart.t by symlink');
  expect(await of('mart.entries')).toBe('mart.entries by symlink');
  expect(await of('table/mart/t', 'arn:aws:glue:eu-central-1:1')).toBe('mart.t by symlink');
  expect(await of('prod.mart.t', 'unitycatalog://host')).toBe('mart.t by symlink');
});

test('L2a: symlinks of other types say nothing; contradictory ones yield to the primary name, and are reported', async () => {
  const location = {
    namespace: 'hive://h:9083',
    name: 'mart.t',
    symlinks: [['s3://b', 'x/y', 'LOCATION']] as const,
  };
  expect(await tableOf(location)).toBe('mart.t by naming');
  const [found] = await map([
    {
      namespace: 'file',
      name: '/lake/warehouse/mart/t',
      symlinks: [
        ['file:/lake/warehouse', 'mart.other'],
        ['file:/lake/warehouse', 'mart.t'],
      ],
    },
  ]);
  expect(found).toMatchObject({
    table: 'mart.t',
    doubt: 'its symlinks name several tables: mart.other, mart.t',
  });
});

test('L2a: a path under a known warehouse is the table of its folders, though this event has no symlink', async () => {
  const [bare] = (
    await map([
      { namespace: 'file', name: '/lake/warehouse/crm.db/learners' },
      { namespace: 'file', name: '/lake/warehouse/mart/t', symlinks: [['file:/lake/warehouse', 'mart.t']] },
      { namespace: 'file', name: '/elsewhere/crm/learners' },
    ])
  ).filter(({ name }) => name.includes('learners'));
  expect(bare).toMatchObject({ name: '/elsewhere/crm/learners', table: null });
  const spellings = ['s3://lake/wh', 's3a://lake/wh/'];
  for (const warehouse of spellings)
    expect(await tableOf({ namespace: 's3://lake', name: 'wh/crm/learners', warehouse })).toBe(
      'crm.learners by naming',
    );
});

test.each([
  ['postgres://db:5432', 'app.crm.learners', 'crm.learners'],
  ['mysql://db:3306', 'crm.learners', 'crm.learners'],
  ['hive://h:9083', 'crm.learners', 'crm.learners'],
  ['bigquery', 'project.crm.learners', 'crm.learners'],
  ['snowflake://org-account', 'APP.CRM.LEARNERS', 'CRM.LEARNERS'],
  ['redshift://c.eu:5439', 'dev.crm.learners', 'crm.learners'],
  ['trino://t:8080', 'lake.crm.learners', 'crm.learners'],
  ['duckdb:///lake/platform.duckdb', 'platform.crm.learners', 'crm.learners'],
  ['arn:aws:glue:eu-central-1:1', 'table/crm/learners', 'crm.learners'],
  ['unitycatalog://host', 'prod.crm.learners', 'crm.learners'],
])('L2a: the usual naming of %s', async (namespace, name, table) => {
  expect(await tableOf({ namespace, name })).toBe(`${table} by naming`);
});

test('L2a: the warehouse decides between names; a difference in case alone is none', async () => {
  expect(await tableOf({ namespace: 'trino://t:8080', name: 'a.b.c' }, undefined, ['a.b.c'])).toBe(
    'a.b.c by naming',
  );
  const snowflake = { namespace: 'snowflake://o-a', name: 'APP.CRM.LEARNERS' };
  expect(await tableOf(snowflake, undefined, ['crm.learners'])).toBe('crm.learners by naming');
  expect(await tableOf(snowflake, undefined, ['crm.learners', 'crm.Learners'])).toBe(
    'CRM.LEARNERS by naming',
  );
  expect(await tableOf({ namespace: 'inmemory://', name: 'learners' }, undefined, ['learners'])).toBe(
    'learners by naming',
  );
});
