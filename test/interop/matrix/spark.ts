import type { CanonicalRow } from '../engines/canonical.ts';
import { openSpark, type Spark } from '../engines/spark.ts';
import type { Engine } from './engine.ts';
import { FEATURES, type FeatureName, PERSON } from './features.ts';
import type { Lake } from './lake.ts';
import { SPARK, valuesOf } from './sql.ts';

/** Spark on a lake. */
export async function sparkOn(lake: Lake): Promise<Engine> {
  const spark = await openSpark();
  const prefix = `spark.sql.catalog.${lake.name}`;
  await spark.conf({
    [prefix]: 'org.apache.iceberg.spark.SparkCatalog',
    [`${prefix}.cache-enabled`]: 'false',
    ...Object.fromEntries(Object.entries(lake.spark).map(([key, value]) => [`${prefix}.${key}`, value])),
  });
  const full = (table: string): string => `${lake.name}.${table}`;
  return {
    name: 'spark',
    write: async (feature, table) => {
      await spark.sql(`CREATE NAMESPACE IF NOT EXISTS ${lake.name}.${table.split('.')[0]}`);
      await WRITERS[feature]!({ spark, feature, table: full(table) });
    },
    read: (table) => spark.sql(`SELECT * FROM ${full(table)}`),
    append: async (table, feature, row) => void (await insert({ spark, feature, table: full(table) }, [row])),
    maintain: async (table) => maintain(spark, lake.name, table),
  };
}

interface Writing {
  readonly spark: Spark;
  readonly feature: FeatureName;
  readonly table: string;
}

type Writer = (writing: Writing) => Promise<void>;

async function insert({ spark, feature, table }: Writing, rows: readonly CanonicalRow[]): Promise<void> {
  const types = FEATURES[feature].columns.map(([, type]) => type);
  await spark.sql(`INSERT INTO ${table} ${valuesOf(SPARK, types, rows)}`);
}

/** Makes a table of the feature's columns, and inserts the rows in two commits. */
function simple(
  properties: Readonly<Record<string, string>>,
  { partition = '', after = [] }: { readonly partition?: string; readonly after?: readonly string[] } = {},
): Writer {
  return async (writing) => {
    const { spark, feature, table } = writing;
    const columns = FEATURES[feature].columns
      .map(([name, type]) => `${name} ${SPARK.types[type]}`)
      .join(', ');
    await spark.sql(
      `CREATE TABLE ${table} (${columns}) USING iceberg ${partition} TBLPROPERTIES (${Object.entries(
        properties,
      )
        .map(([key, value]) => `'${key}'='${value}'`)
        .join(', ')})`,
    );
    for (const statement of after) await spark.sql(statement.replaceAll('$TABLE', table));
    const { written } = FEATURES[feature];
    await insert(writing, written.slice(0, 4));
    await insert(writing, written.slice(4));
  };
}

const version = (number: 1 | 2 | 3): Readonly<Record<string, string>> => ({
  'format-version': String(number),
});
const mergeOnRead = {
  'write.delete.mode': 'merge-on-read',
  'write.update.mode': 'merge-on-read',
  'write.merge.mode': 'merge-on-read',
};

/** A table, then one statement more. */
const then =
  (writer: Writer, statement: string): Writer =>
  async (writing) => {
    await writer(writing);
    await writing.spark.sql(statement.replaceAll('$TABLE', writing.table));
  };

const DELETE = 'DELETE FROM $TABLE WHERE id IN (2, 7)';

const WRITERS: Readonly<Partial<Record<FeatureName, Writer>>> = {
  v1: simple(version(1)),
  v2: simple(version(2)),
  v3: simple(version(3)),
  transforms: simple(version(2), {
    partition: 'PARTITIONED BY (bucket(4, id), truncate(2, city), months(day), hours(at))',
  }),
  days: simple(version(2), { partition: 'PARTITIONED BY (city, years(day), days(at))' }),
  positions: then(simple({ ...version(2), ...mergeOnRead }), DELETE),
  vectors: then(simple({ ...version(3), ...mergeOnRead }), DELETE),
  rewritten: then(simple(version(3)), DELETE),
  equality: async (writing) => {
    await simple(version(2))(writing);
    const values = ['person2@example.org', PERSON.email];
    await writing.spark.equalityDelete({ table: writing.table, column: 'email', values });
  },
  respecified: async (writing) => {
    await simple(version(2), { after: [] })({ ...writing });
    await writing.spark.sql(`ALTER TABLE ${writing.table} ADD PARTITION FIELD city`);
    await writing.spark.sql(`DELETE FROM ${writing.table} WHERE id > 4`);
    await insert(writing, FEATURES.respecified.written.slice(4));
  },
  evolved: async ({ spark, table, ...rest }) => {
    const { written } = FEATURES.evolved;
    await spark.sql(
      `CREATE TABLE ${table} (gone string, id int, customer bigint, email string, town string, score float) USING iceberg TBLPROPERTIES ('format-version'='2')`,
    );
    const old = written.slice(0, 4).map((row) => ['x', ...row.slice(0, 5)]);
    const types = ['string', 'int', 'long', 'string', 'string', 'double'];
    await spark.sql(`INSERT INTO ${table} ${valuesOf(SPARK, types, old).replaceAll(/D\)/g, 'F)')}`);
    for (const change of [
      'DROP COLUMN gone',
      'RENAME COLUMN town TO city',
      'ALTER COLUMN id TYPE bigint',
      'ALTER COLUMN score TYPE double',
      'ADD COLUMN day date',
    ])
      await spark.sql(`ALTER TABLE ${table} ${change}`);
    await insert({ spark, table, ...rest }, written.slice(4));
  },
  refs: async (writing) => {
    const { spark, table } = writing;
    await simple(version(2))(writing);
    await spark.sql(`DELETE FROM ${table} WHERE id > 4`);
    await spark.sql(`ALTER TABLE ${table} CREATE TAG before`);
    await spark.sql(`ALTER TABLE ${table} CREATE BRANCH audit`);
    await insert(writing, FEATURES.refs.written.slice(4));
    await insert({ ...writing, table: `${table}.branch_audit` }, [FEATURES.refs.written[6]!]);
  },
  sorted: simple(version(2), { after: ['ALTER TABLE $TABLE WRITE ORDERED BY city, id'] }),
  nested: simple(version(2)),
  defaults: async (writing) => {
    const { spark, table } = writing;
    const { written } = FEATURES.defaults;
    await spark.sql(
      `CREATE TABLE ${table} (id bigint, customer bigint, email string) USING iceberg TBLPROPERTIES ('format-version'='3')`,
    );
    await insert(writing, written.slice(0, 4));
    await spark.addDefault({ table, column: 'level', value: 7 });
    await insert(writing, written.slice(4));
  },
  codecs: simple({
    ...version(2),
    'write.metadata.compression-codec': 'gzip',
    'write.parquet.compression-codec': 'gzip',
  }),
};

async function maintain(spark: Spark, catalog: string, table: string): Promise<void> {
  const call = (procedure: string, more = ''): Promise<unknown> =>
    spark.sql(`CALL ${catalog}.system.${procedure}(table => '${table}'${more})`);
  await call(
    'rewrite_data_files',
    ", options => map('rewrite-all','true','delete-file-threshold','1','remove-dangling-deletes','true')",
  );
  await call('rewrite_position_delete_files', ", options => map('rewrite-all','true')");
  await call('rewrite_manifests');
  await call('compute_table_stats');
  await call('expire_snapshots', ', older_than => current_timestamp(), retain_last => 1');
  await spark.removeOrphans(`${catalog}.${table}`, Date.now());
}
