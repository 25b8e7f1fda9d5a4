import type { Dataset } from '../lineage.ts';
import { cutPartition, cutSuffix, glueName, unquoted } from './spelling.ts';
import { locationOf } from './usual.ts';

type Named = Pick<Dataset, 'namespace' | 'name'>;

/** Databases that keep their tables themselves: a table of theirs is never one of the lake. */
const DATABASES =
  /^(postgres|postgresql|mysql|mariadb|redshift|snowflake|bigquery|sqlserver|mssql|oracle|db2|teradata|duckdb|sqlite|clickhouse)$/;
const PATHS = /^(file|s3|gs|abfss|wasbs|hdfs|dbfs|oss|cos|adl)$/;

/**
 * Whether two datasets of one name may hold different data. Spark, Hive, Glue and Trino each have a name of their own for one
 * table of a lake; two names of one kind are two tables, and so is a table of a database.
 */
export function isOtherStore(a: Named, b: Named): boolean {
  const [kindA, kindB] = [kindOf(a.namespace), kindOf(b.namespace)];
  if (kindA === kindB) return identityOf(a, kindA) !== identityOf(b, kindB);
  return DATABASES.test(kindA) || DATABASES.test(kindB);
}

function kindOf(namespace: string): string {
  const scheme = /^[^:/]*/.exec(namespace)![0].toLowerCase();
  return scheme
    .replace(/^s3[an]$/, 's3')
    .replace(/^gcs$/, 'gs')
    .replace(/^abfs$/, 'abfss')
    .replace(/^wasb$/, 'wasbs');
}

/** What the same data has in all its names of one kind. */
function identityOf({ namespace, name }: Named, kind: string): string {
  if (PATHS.test(kind)) return locationOf(namespace, name);
  return `${namespace} ${cutSuffix(unquoted(cutPartition(namespace, glueName(name))))}`.toLowerCase();
}
