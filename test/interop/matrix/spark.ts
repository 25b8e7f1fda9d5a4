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
      const apart = `${lake.warehouse}/apart/${table}`;
      await WRITERS[feature]!({ spark, feature, table: full(table), apart });
    },
    read: (table, ref) =>
      spark.sql(`SELECT * FROM ${full(table)}${ref === undefined ? '' : ` VERSION AS OF '${ref}'`}`),
    view: async (view, table) =>
      void (await spark.sql(`CREATE VIEW ${full(view)} AS SELECT * FROM ${full(table)}`)),
    append: async (table, feature, row) => void (await insert({ spark, feature, table: full(table) }, [row])),
    maintain: async (table) => maintain(spark, lake.name, table),
  };
}

interface Writing {
  readonly spark: Spark;
  readonly feature: FeatureName;
  readonly table: string;
}

/** `apart` is a folder of the lake that lies beside the table's. */
type Writer = (writing: Writing & { readonly apart: string }) => Promise<void>;

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

/** A table, then statements more. */
const then =
  (writer: Writer, ...statements: readonly string[]): Writer =>
  async (writing) => {
    await writer(writing);
    const { spark, table } = writing;
    const [catalog, ...names] = table.split('.');
    for (const statement of statements) {
      const filled = statement.replaceAll('$TABLE', table).replaceAll('$NAME', names.join('.'));
      await spark.sql(filled.replaceAll('$CATALOG', catalog!));
    }
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
  overwritten: then(simple(version(2)), DELETE),
  expired: then(
    simple(version(2)),
    'DELETE FROM $TABLE WHERE id = 2',
    'DELETE FROM $TABLE WHERE id = 7',
    "CALL $CATALOG.system.expire_snapshots(table => '$NAME', older_than => current_timestamp(), retain_last => 2)",
  ),
  merged_deletes: then(
    simple({ ...version(2), ...mergeOnRead }),
    'DELETE FROM $TABLE WHERE id = 2',
    'DELETE FROM $TABLE WHERE id = 7',
    "CALL $CATALOG.system.rewrite_position_delete_files(table => '$NAME', options => map('rewrite-all', 'true'))",
  ),
  elsewhere: (writing) =>
    simple({
      ...version(2),
      'write.data.path': `${writing.apart}/rows`,
      'write.metadata.path': `${writing.apart}/states`,
    })(writing),
  merged: then(
    simple({ ...version(2), ...mergeOnRead }),
    "UPDATE $TABLE SET city = 'Rome' WHERE id IN (3, 5)",
    "MERGE INTO $TABLE t USING (SELECT * FROM VALUES (2), (6) AS v(id)) s ON t.id = s.id WHEN MATCHED AND s.id = 2 THEN DELETE WHEN MATCHED THEN UPDATE SET city = 'Lima'",
  ),
  upgraded: then(
    simple({ ...version(1), ...mergeOnRead }),
    "ALTER TABLE $TABLE SET TBLPROPERTIES ('format-version' = '2')",
    'DELETE FROM $TABLE WHERE id = 2',
    "ALTER TABLE $TABLE SET TBLPROPERTIES ('format-version' = '3')",
    'DELETE FROM $TABLE WHERE id = 7',
  ),
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
  moved: async ({ spark, table, feature }) => {
    const { written } = FEATURES.moved;
    await spark.sql(
      `CREATE TABLE ${table} (id bigint, customer bigint, email string, address ${SPARK.types['struct(street, code)']}, city string) USING iceberg`,
    );
    const old = written
      .slice(0, 4)
      .map(([id, customer, email, town, address]) => [
        ...[id, customer, email, address],
        town,
      ]) as CanonicalRow[];
    const types = ['long', 'long', 'string', 'struct(street, code)', 'string'];
    await spark.sql(`INSERT INTO ${table} ${valuesOf(SPARK, types, old)}`);
    for (const change of [
      'ADD COLUMN address.country string',
      'RENAME COLUMN address.code TO zip',
      'ALTER COLUMN city AFTER email',
    ])
      await spark.sql(`ALTER TABLE ${table} ${change}`);
    await insert({ spark, table, feature }, written.slice(4));
  },
  statistics: then(
    simple(version(2), { partition: 'PARTITIONED BY (city)' }),
    "CALL $CATALOG.system.compute_table_stats(table => '$NAME')",
    "CALL $CATALOG.system.compute_partition_stats(table => '$NAME')",
  ),
  layout: simple({
    ...version(2),
    'write.object-storage.enabled': 'true',
    'write.parquet.bloom-filter-enabled.column.email': 'true',
    'write.metadata.metrics.default': 'full',
  }),
  imported: async ({ spark, table, feature }) => {
    const columns = FEATURES[feature].columns.map(([name, type]) => `${name} ${SPARK.types[type]}`);
    await spark.sql(`CREATE TABLE ${table} (${columns.join(', ')}) USING iceberg`);
    const [[file]] = (await spark.sql(`SELECT file FROM ${table}.metadata_log_entries`)) as [[string]];
    const folder = file.replace(/\/metadata\/[^/]*$/, '/data/imported');
    const types = FEATURES[feature].columns.map(([, type]) => type);
    const names = FEATURES[feature].columns.map(([name]) => name).join(', ');
    const rows = valuesOf(SPARK, types, FEATURES[feature].written);
    // Spark writes timestamps in INT96 here, as it does unless it is told otherwise.
    await spark.sql(
      `INSERT OVERWRITE DIRECTORY '${folder}' USING parquet SELECT * FROM ${rows} AS rows(${names})`,
    );
    const [catalog, ...name] = table.split('.');
    await spark.sql(
      `CALL ${catalog}.system.add_files(table => '${name.join('.')}', source_table => '\`parquet\`.\`${folder}\`')`,
    );
  },
  plain: simple(version(2)),
  orc: simple({ ...version(2), 'write.format.default': 'orc' }),
  avro: simple({ ...version(2), 'write.format.default': 'avro' }),
  variant: simple(version(3)),
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
