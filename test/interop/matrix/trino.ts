import type { CanonicalRow } from '../engines/canonical.ts';
import { openTrino, type Trino } from '../engines/trino.ts';
import type { Engine } from './engine.ts';
import { FEATURES, type FeatureName } from './features.ts';
import type { Lake } from './lake.ts';
import { TRINO, valuesOf } from './sql.ts';

/** Trino on a lake. */
export async function trinoOn(lake: Lake): Promise<Engine> {
  const trino = await openTrino();
  const settings = {
    ...lake.trino,
    'iceberg.expire-snapshots.min-retention': '0s',
    'iceberg.remove-orphan-files.min-retention': '0s',
  };
  const properties = Object.entries(settings).map(([key, value]) => `"${key}" = '${value}'`);
  await trino.sql(`CREATE CATALOG ${lake.name} USING iceberg WITH (${properties.join(', ')})`);
  const full = (table: string): string => `${lake.name}.${table}`;
  return {
    name: 'trino',
    write: async (feature, table) => {
      await trino.sql(`CREATE SCHEMA IF NOT EXISTS ${lake.name}.${table.split('.')[0]}`);
      const apart = `${lake.warehouse}/apart/${table}`;
      await WRITERS[feature]!({ trino, feature, table: full(table), apart });
    },
    read: (table, ref) =>
      trino.sql(`SELECT * FROM ${full(table)}${ref === undefined ? '' : ` FOR VERSION AS OF '${ref}'`}`),
    append: async (table, feature, row) => void (await insert({ trino, feature, table: full(table) }, [row])),
    maintain: async (table) => maintain(trino, full(table)),
  };
}

interface Writing {
  readonly trino: Trino;
  readonly feature: FeatureName;
  readonly table: string;
}

/** `apart` is a folder of the lake that lies beside the table's. */
type Writer = (writing: Writing & { readonly apart: string }) => Promise<void>;

async function insert({ trino, feature, table }: Writing, rows: readonly CanonicalRow[]): Promise<void> {
  const types = FEATURES[feature].columns.map(([, type]) => type);
  await trino.sql(`INSERT INTO ${table} ${valuesOf(TRINO, types, rows)}`);
}

/** Makes a table of the feature's columns, and inserts the rows in two commits. */
function simple(properties: string): Writer {
  return async (writing) => {
    const { trino, feature, table } = writing;
    const columns = FEATURES[feature].columns
      .map(([name, type]) => `${name} ${TRINO.types[type]}`)
      .join(', ');
    await trino.sql(`CREATE TABLE ${table} (${columns}) WITH (${properties})`);
    const { written } = FEATURES[feature];
    await insert(writing, written.slice(0, 4));
    await insert(writing, written.slice(4));
  };
}

const WRITERS: Readonly<Partial<Record<FeatureName, Writer>>> = {
  v1: simple('format_version = 1'),
  v2: simple('format_version = 2'),
  transforms: simple("partitioning = ARRAY['bucket(id, 4)', 'truncate(city, 2)', 'month(day)', 'hour(at)']"),
  days: simple("partitioning = ARRAY['city', 'year(day)', 'day(at)']"),
  positions: async (writing) => {
    await simple('format_version = 2')(writing);
    await writing.trino.sql(`DELETE FROM ${writing.table} WHERE id IN (2, 7)`);
  },
  merged: async (writing) => {
    const { trino, table } = writing;
    await simple('format_version = 2')(writing);
    await trino.sql(`UPDATE ${table} SET city = 'Rome' WHERE id IN (3, 5)`);
    await trino.sql(
      `MERGE INTO ${table} t USING (VALUES 2, 6) AS s(id) ON t.id = s.id WHEN MATCHED AND s.id = 2 THEN DELETE WHEN MATCHED THEN UPDATE SET city = 'Lima'`,
    );
  },
  respecified: async (writing) => {
    const { trino, table } = writing;
    await simple('format_version = 2')(writing);
    await trino.sql(`ALTER TABLE ${table} SET PROPERTIES partitioning = ARRAY['city']`);
    await trino.sql(`DELETE FROM ${table} WHERE id > 4`);
    await insert(writing, FEATURES.respecified.written.slice(4));
  },
  evolved: async (writing) => {
    const { trino, table } = writing;
    const { written } = FEATURES.evolved;
    await trino.sql(
      `CREATE TABLE ${table} (gone varchar, id integer, customer bigint, email varchar, town varchar, score real)`,
    );
    const old = written.slice(0, 4).map((row) => ['x', ...row.slice(0, 5)]);
    const values = valuesOf(TRINO, ['string', 'int', 'long', 'string', 'string', 'double'], old);
    await trino.sql(`INSERT INTO ${table} ${values.replaceAll('DOUBLE', 'REAL')}`);
    for (const change of [
      'DROP COLUMN gone',
      'RENAME COLUMN town TO city',
      'ALTER COLUMN id SET DATA TYPE bigint',
      'ALTER COLUMN score SET DATA TYPE double',
      'ADD COLUMN day date',
    ])
      await trino.sql(`ALTER TABLE ${table} ${change}`);
    await insert(writing, written.slice(4));
  },
  moved: async (writing) => {
    const { trino, table } = writing;
    const { written } = FEATURES.moved;
    const address = 'struct(street, code)';
    await trino.sql(
      `CREATE TABLE ${table} (id bigint, customer bigint, email varchar, city varchar, address ${TRINO.types[address]})`,
    );
    const types = ['long', 'long', 'string', 'string', address];
    await trino.sql(`INSERT INTO ${table} ${valuesOf(TRINO, types, written.slice(0, 4))}`);
    await trino.sql(`ALTER TABLE ${table} ADD COLUMN address.country varchar`);
    await trino.sql(`ALTER TABLE ${table} RENAME COLUMN address.code TO zip`);
    await insert(writing, written.slice(4));
  },
  layout: simple("object_store_layout_enabled = true, parquet_bloom_filter_columns = ARRAY['email']"),
  elsewhere: (writing) =>
    simple(`object_store_layout_enabled = true, data_location = '${writing.apart}/rows'`)(writing),
  types: simple('format_version = 2'),
  orc: simple("format = 'ORC'"),
  avro: simple("format = 'AVRO'"),
  nested: simple('format_version = 2'),
  sorted: simple("sorted_by = ARRAY['city', 'id']"),
};

async function maintain(trino: Trino, table: string): Promise<void> {
  for (const procedure of [
    'optimize',
    'optimize_manifests',
    'drop_extended_stats',
    "expire_snapshots(retention_threshold => '0s')",
    "remove_orphan_files(retention_threshold => '0s')",
  ])
    await trino.sql(`ALTER TABLE ${table} EXECUTE ${procedure}`);
  await trino.sql(`ANALYZE ${table}`);
}
