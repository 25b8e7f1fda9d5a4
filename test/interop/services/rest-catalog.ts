import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { javaHome } from './java.ts';
import { type Artifact, mavenArtifacts } from './maven.ts';
import { answers, freePort, startProcess } from './process.ts';
import type { Need, RunFolder, Started } from './service.ts';

/** Iceberg's own REST catalog server. It asks nobody who they are. */
export interface RestCatalog {
  readonly uri: string;
  /** Where it places tables. */
  readonly warehouse: string;
  /** The SQLite file that it keeps the tables in, by the layout of the JDBC catalog, and the catalog's name there. */
  readonly database: string;
  readonly catalog: string;
}

const ICEBERG = '1.11.0';
const JETTY = '12.1.5';
const ARTIFACTS: readonly Artifact[] = [
  { id: `org.apache.iceberg:iceberg-open-api:${ICEBERG}`, classifier: 'test-fixtures' },
  { id: `org.apache.iceberg:iceberg-core:${ICEBERG}` },
  { id: `org.apache.iceberg:iceberg-core:${ICEBERG}`, classifier: 'tests' },
  { id: `org.apache.iceberg:iceberg-aws:${ICEBERG}` },
  { id: `org.apache.iceberg:iceberg-aws-bundle:${ICEBERG}` },
  { id: 'org.xerial:sqlite-jdbc:3.50.3.0' },
  { id: `org.eclipse.jetty.ee10:jetty-ee10-servlet:${JETTY}` },
  { id: `org.eclipse.jetty.compression:jetty-compression-server:${JETTY}` },
  { id: `org.eclipse.jetty.compression:jetty-compression-gzip:${JETTY}` },
  { id: 'org.apache.hadoop:hadoop-client-api:3.4.2' },
  { id: 'org.apache.hadoop:hadoop-client-runtime:3.4.2' },
  { id: 'org.slf4j:slf4j-simple:2.0.17' },
];

/** The REST server that Iceberg's own tests run, over a SQLite file; tables lie in local files unless a location says S3. */
export async function startRestCatalog(folder: RunFolder, need: Need): Promise<Started<RestCatalog>> {
  const warehouse = pathToFileURL(join(folder.data, 'rest')).href;
  return start({ name: 'rest-catalog', warehouse, folder, need });
}

/** Another one, with its tables in S3. */
export async function startRestCatalogOnS3(folder: RunFolder, need: Need): Promise<Started<RestCatalog>> {
  const warehouse = `s3://${(await need('s3')).bucket}/rest`;
  return start({ name: 'rest-catalog-s3', warehouse, folder, need });
}

/** One more, for tests that need a catalog with no other tables in it. */
export async function startQuietRestCatalog(folder: RunFolder, need: Need): Promise<Started<RestCatalog>> {
  const warehouse = `s3://${(await need('s3')).bucket}/quiet`;
  return start({ name: 'rest-catalog-quiet', warehouse, folder, need });
}

interface Start {
  readonly name: string;
  readonly warehouse: string;
  readonly folder: RunFolder;
  readonly need: Need;
}

async function start({ name, warehouse, folder, need }: Start): Promise<Started<RestCatalog>> {
  const { data, logs } = folder;
  const java = join(javaHome(17), 'bin', 'java');
  const jars = await mavenArtifacts({ name: 'rest-catalog', artifacts: ARTIFACTS, transitive: true });
  const s3 = await need('s3');
  const port = await freePort();
  const database = join(data, `${name}.sqlite`);
  const uri = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    name,
    command: java,
    args: [
      '-Xmx384m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
      '-cp',
      join(jars, '*'),
      'org.apache.iceberg.rest.RESTCatalogServer',
    ],
    env: {
      CATALOG_CATALOG__IMPL: 'org.apache.iceberg.jdbc.JdbcCatalog',
      CATALOG_URI: `jdbc:sqlite:${database}`,
      // The layout that has views.
      CATALOG_JDBC_SCHEMA__VERSION: 'V1',
      CATALOG_WAREHOUSE: warehouse,
      CATALOG_REST_PORT: String(port),
      CATALOG_IO__IMPL: 'org.apache.iceberg.io.ResolvingFileIO',
      CATALOG_S3_ENDPOINT: s3.endpoint,
      CATALOG_S3_PATH__STYLE__ACCESS: 'true',
      CATALOG_S3_ACCESS__KEY__ID: s3.accessKeyId,
      CATALOG_S3_SECRET__ACCESS__KEY: s3.secretAccessKey,
      CATALOG_CLIENT_REGION: s3.region,
    },
    logs,
    ready: () => answers(`${uri}/v1/config`),
  });
  return { ...running, details: { uri, warehouse, database, catalog: 'rest_backend' } };
}
