import type { DatasetNote, Symlink } from '../collect/dataset-notes.ts';

/** Suffixes by which Iceberg reads a table's metadata (its documentation, "Inspecting tables"). */
const METADATA_TABLE =
  /^(all_)?(data_files|delete_files|entries|files|manifests)$|^(history|metadata_log_entries|partitions|position_deletes|refs|snapshots)$/;
const BRANCH = /^(branch|tag)_/;

/** Namespaces that hold no tables, whatever their names look like. */
const NO_TABLES = /^(kafka|pulsar|pubsub|kinesis|eventhub|sqs|rabbitmq|http|https|mongodb|job):/;
/** Names of these begin with a database or catalog that the warehouse does not repeat. */
const QUALIFIED =
  /^(postgres|postgresql|redshift|snowflake|trino|presto|duckdb|bigquery|sqlserver|mssql|oracle|databricks|unitycatalog|unity-catalog|athena|awsathena)\b/;
const PATHS = /^(file|s3|s3a|s3n|gs|gcs|abfs|abfss|wasb|wasbs|hdfs|dbfs|oss|cos|adl)\b/;

/** The tables that a TABLE symlink may name, the likeliest first; branch and metadata-table suffixes are cut (rule L2a). */
export function symlinkCandidates(symlink: Symlink): readonly string[] {
  const name = cutSuffix(glueName(symlink.name));
  const parts = name.split('.');
  return QUALIFIED.test(symlink.namespace) && parts.length > 2 ? [parts.slice(1).join('.'), name] : [name];
}

/** The tables that a dataset may be by the usual naming of its producer (rule L2a), the likeliest first. */
export function usualCandidates(
  namespace: string,
  name: string,
  warehouses: readonly string[],
): readonly string[] {
  if (NO_TABLES.test(namespace)) return [];
  if (namespace.startsWith('arn:aws:glue:')) return [glueName(name)];
  if (PATHS.test(namespace)) return pathCandidates(locationOf(namespace, name), warehouses);
  const table = cutSuffix(name);
  const parts = table.split('.');
  if (QUALIFIED.test(namespace)) return parts.length > 2 ? [parts.slice(1).join('.'), table] : [table];
  return parts.length > 1 && !table.includes('/') ? [table] : [];
}

/** The folders in which catalogs keep tables, in one normal form: from catalog facets and from symlinks that name a path. */
export function warehousesOf(notes: readonly (DatasetNote | undefined)[]): readonly string[] {
  const found = new Set<string>();
  for (const note of notes) {
    for (const warehouse of note?.warehouses ?? []) found.add(locationOf('', warehouse));
    for (const { namespace } of note?.tables ?? [])
      if (PATHS.test(namespace) && namespace.includes('/')) found.add(locationOf('', namespace));
  }
  return [...found].filter((folder) => folder.length > 1).sort((a, b) => b.length - a.length);
}

/** Under a warehouse the folders name the table; `db.db` is Hive's way to write a database. */
function pathCandidates(location: string, warehouses: readonly string[]): readonly string[] {
  for (const warehouse of warehouses) {
    if (!location.startsWith(`${warehouse}/`)) continue;
    const parts = location.slice(warehouse.length + 1).split('/');
    const folders = parts.map((part, index) => (index < parts.length - 1 ? part.replace(/\.db$/, '') : part));
    if (folders.length > 1 && folders.every((part) => part !== '')) return [folders.join('.')];
  }
  return [];
}

/** One spelling of a location: `s3a` is `s3`, `file:/x` and `file:///x` are `/x`, and no slash ends it. */
function locationOf(namespace: string, name: string): string {
  const whole = namespace === '' || name.startsWith(`${namespace}/`) ? name : `${namespace}/${name}`;
  return whole
    .replace(/^(s3)[an]:/, '$1:')
    .replace(/^abfs:/, 'abfss:')
    .replace(/^wasb:/, 'wasbs:')
    .replace(/^file(:\/*)?(?=\/)/, '')
    .replace(/(?<!:)\/{2,}/g, '/')
    .replace(/\/$/, '');
}

function glueName(name: string): string {
  return name.startsWith('table/') ? name.slice('table/'.length).replaceAll('/', '.') : name;
}

function cutSuffix(name: string): string {
  const parts = name.split('.');
  const last = parts.at(-1)!;
  return parts.length > 2 && (METADATA_TABLE.test(last) || BRANCH.test(last))
    ? parts.slice(0, -1).join('.')
    : name;
}
