import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import type { CatalogSetting } from '../../../src/warehouse/catalogs/settings.ts';
import { service } from '../services/index.ts';

/** A catalog that every engine of a run reaches, each with its own settings for it. */
export interface Lake {
  /** The catalog's name in every engine. */
  readonly name: string;
  /** A folder or prefix of its own. */
  readonly warehouse: string;
  readonly spark: Readonly<Record<string, string>>;
  /** Null where Trino has no such kind of catalog. */
  readonly trino: Readonly<Record<string, string>> | null;
  /** Null where PyIceberg has none: it reads the metadata files then. */
  readonly pyiceberg: Readonly<Record<string, string>> | null;
  readonly lethe: CatalogSetting;
}

/** Where files lie: the bucket `s3` keeps old versions. */
export type StorageKind = 'local' | 's3' | 's3-without-versions';

/** `quiet` is another REST catalog, with no tables of the matrix in it. */
export type LakeKind = 'sql' | 'sqlite' | 'rest' | 'quiet' | 'directory';

const LAKES: Readonly<Record<LakeKind, (name: string, files: Files) => Promise<Lake>>> = {
  sql: sqlLake,
  sqlite: sqliteLake,
  rest: (name, files) => restLake(name, files, 'restCatalogOnS3'),
  quiet: (name, files) => restLake(name, files, 'quietRestCatalog'),
  directory: directoryLake,
};

/** A catalog of a kind, by a name of its own that starts so, over local files or S3. */
export async function makeLake(kind: LakeKind, prefix: string, storage: StorageKind): Promise<Lake> {
  const name = `${prefix}_${randomBytes(3).toString('hex')}`;
  return LAKES[kind](name, await (storage === 'local' ? localFiles(name) : s3Files(name, storage)));
}

/** The JDBC layout in Postgres. */
async function sqlLake(name: string, files: Files): Promise<Lake> {
  const { host, port, user, password, database } = await service('postgres');
  const { warehouse } = files;
  const jdbc = `jdbc:postgresql://${host}:${port}/${database}`;
  return {
    ...{ name, warehouse },
    spark: {
      ...files.spark,
      type: 'jdbc',
      uri: jdbc,
      'jdbc.user': user,
      'jdbc.password': password,
      'jdbc.schema-version': 'V1',
      warehouse,
    },
    trino: files.trino && {
      ...files.trino,
      'iceberg.catalog.type': 'jdbc',
      'iceberg.jdbc-catalog.catalog-name': name,
      'iceberg.jdbc-catalog.driver-class': 'org.postgresql.Driver',
      'iceberg.jdbc-catalog.connection-url': jdbc,
      'iceberg.jdbc-catalog.connection-user': user,
      'iceberg.jdbc-catalog.connection-password': password,
      'iceberg.jdbc-catalog.default-warehouse-dir': warehouse,
    },
    pyiceberg: {
      ...files.pyiceberg,
      type: 'sql',
      uri: `postgresql+psycopg2://${user}:${password}@${host}:${port}/${database}`,
      warehouse,
    },
    lethe: {
      kind: 'sql',
      url: `postgresql://${user}@${host}:${port}/${database}`,
      password,
      name,
      warehouse,
    },
  };
}

/** The JDBC layout in a SQLite file. Trino has no driver for it. */
async function sqliteLake(name: string, { warehouse, ...files }: Files): Promise<Lake> {
  const database = join(inject('data'), `${name}.sqlite`);
  return {
    ...{ name, warehouse },
    spark: {
      ...files.spark,
      type: 'jdbc',
      uri: `jdbc:sqlite:${database}`,
      'jdbc.schema-version': 'V1',
      warehouse,
    },
    trino: null,
    pyiceberg: { ...files.pyiceberg, type: 'sql', uri: `sqlite:///${database}`, warehouse },
    lethe: { kind: 'sql', url: `sqlite:${database}`, name, warehouse },
  };
}

/** Iceberg's REST server, with its tables in S3. */
async function restLake(
  name: string,
  files: Files,
  server: 'restCatalogOnS3' | 'quietRestCatalog',
): Promise<Lake> {
  const { uri, warehouse } = await service(server);
  return {
    ...{ name, warehouse },
    spark: { ...files.spark, type: 'rest', uri },
    trino: files.trino && {
      ...files.trino,
      'iceberg.catalog.type': 'rest',
      'iceberg.rest-catalog.uri': uri,
    },
    pyiceberg: { ...files.pyiceberg, type: 'rest', uri },
    lethe: { kind: 'rest', uri },
  };
}

/** Spark's `hadoop` catalog, which is a folder. */
async function directoryLake(name: string, { warehouse }: Files): Promise<Lake> {
  return {
    ...{ name, warehouse },
    spark: { type: 'hadoop', warehouse },
    trino: null,
    pyiceberg: null,
    lethe: { kind: 'directory', path: fileURLToPath(warehouse) },
  };
}

/** Where tables lie, and how each engine gets there. Trino as it is installed reads no local files. */
interface Files {
  readonly warehouse: string;
  readonly spark: Readonly<Record<string, string>>;
  readonly trino: Readonly<Record<string, string>> | null;
  readonly pyiceberg: Readonly<Record<string, string>>;
}

async function localFiles(name: string): Promise<Files> {
  const path = join(inject('data'), name);
  await mkdir(path, { recursive: true });
  return { warehouse: pathToFileURL(path).href, spark: {}, trino: null, pyiceberg: {} };
}

async function s3Files(name: string, storage: 's3' | 's3-without-versions'): Promise<Files> {
  const { endpoint, region, accessKeyId, secretAccessKey, ...s3 } = await service('s3');
  const bucket = storage === 's3' ? s3.bucket : s3.plainBucket;
  const keys = { 's3.access-key-id': accessKeyId, 's3.secret-access-key': secretAccessKey };
  return {
    warehouse: `s3://${bucket}/${name}`,
    spark: {
      ...keys,
      'io-impl': 'org.apache.iceberg.aws.s3.S3FileIO',
      's3.endpoint': endpoint,
      's3.path-style-access': 'true',
      'client.region': region,
    },
    trino: {
      'fs.native-s3.enabled': 'true',
      's3.endpoint': endpoint,
      's3.region': region,
      's3.path-style-access': 'true',
      's3.aws-access-key': accessKeyId,
      's3.aws-secret-key': secretAccessKey,
    },
    pyiceberg: { ...keys, 's3.endpoint': endpoint, 's3.region': region },
  };
}
