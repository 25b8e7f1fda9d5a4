import type { DatasetNote, Symlink } from '../collect/dataset-notes.ts';
import { cutPartition, cutSuffix, glueName, unquoted } from './spelling.ts';

/** What a dataset may be by its name, the likeliest first. */
export interface Candidates {
  /** Believed as they are where the warehouse has none of them. */
  readonly likely: readonly string[];
  /** Believed only where the warehouse has a table of that name. */
  readonly possible: readonly string[];
}

const NONE: Candidates = { likely: [], possible: [] };

/** Namespaces that hold no tables, whatever their names look like. */
const NO_TABLES = /^(kafka|pulsar|pubsub|kinesis|eventhub|sqs|rabbitmq|http|https|mongodb|job):/;
/** Names of these begin with a database or catalog that the warehouse does not repeat. */
const QUALIFIED =
  /^(postgres|postgresql|redshift|snowflake|trino|presto|duckdb|bigquery|sqlserver|mssql|oracle|databricks|unitycatalog|unity-catalog|athena|awsathena)\b/;
const PATHS = /^(file|s3|s3a|s3n|gs|gcs|abfs|abfss|wasb|wasbs|hdfs|dbfs|oss|cos|adl)\b/;

/** The tables that a TABLE symlink may name; branch and metadata-table suffixes are cut (rule L2a). */
export function symlinkCandidates(symlink: Symlink): Candidates {
  return namedCandidates(symlink.namespace, glueName(symlink.name));
}

/** The tables that a dataset may be by the usual naming of its producer (rule L2a). */
export function usualCandidates(namespace: string, name: string, warehouses: readonly string[]): Candidates {
  if (NO_TABLES.test(namespace)) return NONE;
  if (namespace.startsWith('arn:aws:glue:')) return { likely: [glueName(name)], possible: [] };
  if (PATHS.test(namespace)) return pathCandidates(locationOf(namespace, name), warehouses);
  const found = namedCandidates(namespace, name);
  const table = found.likely.at(-1)!;
  if (QUALIFIED.test(namespace) || (table.includes('.') && !table.includes('/'))) return found;
  return { likely: [], possible: [name] };
}

/** A dotted name: of some stores it begins with a database; of others it may begin with the name of a catalog. */
function namedCandidates(namespace: string, name: string): Candidates {
  const whole = cutSuffix(unquoted(cutPartition(namespace, name)));
  const parts = whole.split('.');
  if (parts.length < 3) return { likely: [whole], possible: [] };
  const without = parts.slice(1).join('.');
  return QUALIFIED.test(namespace)
    ? { likely: [without, whole], possible: [] }
    : { likely: [whole], possible: [without] };
}

/** What the folders of catalogs are found in. */
export interface FindWarehouses {
  readonly namespaces: readonly string[];
  readonly names: readonly string[];
  readonly notes: readonly (DatasetNote | undefined)[];
}

/**
 * The folders in which catalogs keep tables, in one normal form: from catalog facets and from symlinks that name a path. Where
 * there are none, the one folder under which all tables stand in Hive's way (`…/crm.db/learners`); several folders would mean that
 * one of them holds copies.
 */
export function warehousesOf({ namespaces, names, notes }: FindWarehouses): readonly string[] {
  const found = new Set<string>();
  for (const note of notes) {
    for (const warehouse of note?.warehouses ?? []) found.add(locationOf('', warehouse));
    for (const { namespace } of note?.tables ?? [])
      if (PATHS.test(namespace) && namespace.includes('/')) found.add(locationOf('', namespace));
  }
  if (found.size === 0) {
    const folders = names.flatMap((name, at) => hiveFolder(namespaces[at]!, name) ?? []);
    if (new Set(folders).size === 1) found.add(folders[0]!);
  }
  return [...found].filter((folder) => folder.length > 1).sort((a, b) => b.length - a.length);
}

function hiveFolder(namespace: string, name: string): string | null {
  if (!PATHS.test(namespace)) return null;
  return /^(.*[^/])\/[^/]+\.db\/[^/]+$/.exec(locationOf(namespace, name))?.[1] ?? null;
}

/** Under a warehouse the folders name the table; `db.db` is Hive's way to write a database. A folder elsewhere may be a copy. */
function pathCandidates(location: string, warehouses: readonly string[]): Candidates {
  for (const warehouse of warehouses) {
    if (!location.startsWith(`${warehouse}/`)) continue;
    const parts = location.slice(warehouse.length + 1).split('/');
    if (parts.length > 1 && parts.every((part) => part !== ''))
      return { likely: [tableOf(parts)], possible: [] };
  }
  return NONE;
}

function tableOf(folders: readonly string[]): string {
  return folders
    .map((folder, index) => (index < folders.length - 1 ? folder.replace(/\.db$/, '') : folder))
    .join('.');
}

/** One spelling of a location: `s3a` is `s3`, `file:/x` and `file:///x` are `/x`, and no slash ends it. */
export function locationOf(namespace: string, name: string): string {
  const whole = namespace === '' || name.startsWith(`${namespace}/`) ? name : `${namespace}/${name}`;
  return whole
    .replace(/^(s3)[an]:/, '$1:')
    .replace(/^gcs:/, 'gs:')
    .replace(/^abfs:/, 'abfss:')
    .replace(/^wasb:/, 'wasbs:')
    .replace(/^file(:\/*)?(?=\/)/, '')
    .replace(/(?<!:)\/{2,}/g, '/')
    .replace(/\/$/, '');
}
