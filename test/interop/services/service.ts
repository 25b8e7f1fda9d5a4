import type { S3Server } from './moto.ts';
import type { PostgresServer } from './postgres.ts';
import type { RunningProcess } from './process.ts';
import type { PyIcebergServer } from './pyiceberg.ts';
import type { RestCatalog } from './rest-catalog.ts';
import type { SparkServer } from './spark.ts';
import type { TrinoServer } from './trino.ts';

/** The private folders of one run; removed when it ends. */
export interface RunFolder {
  /** What tables live under: every service reads and writes here by the same paths. */
  readonly data: string;
  readonly logs: string;
}

/** A service that answers, and what a test needs to reach it (plain JSON). */
export interface Started<T> extends RunningProcess {
  readonly details: T;
}

/** What there is, and what reaches it. */
export interface Services {
  readonly s3: S3Server;
  readonly postgres: PostgresServer;
  readonly restCatalog: RestCatalog;
  readonly restCatalogOnS3: RestCatalog;
  readonly quietRestCatalog: RestCatalog;
  readonly pyiceberg: PyIcebergServer;
  readonly spark: SparkServer;
  readonly trino: TrinoServer;
}

/** Starts another service first, unless it runs, and gives what reaches it. */
export type Need = <Name extends keyof Services>(name: Name) => Promise<Services[Name]>;
