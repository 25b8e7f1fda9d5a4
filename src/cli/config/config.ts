/** `lethe.toml`, read and checked; every path in it is absolute. Made by `readConfig`. */
export interface Config {
  /** The file itself. */
  readonly file: string;
  /** The folder that relative paths start from. */
  readonly folder: string;
  /** The folder of the governance files. */
  readonly governance: string;
  /** Files, folders and globs of OpenLineage events, `-` for standard input, and event APIs. */
  readonly lineage: readonly (string | EventApi)[];
  /** Null where the lake cannot be reached from here: then only the governance files and the events are read. */
  readonly warehouse: WarehouseConfig | null;
  readonly register: RegisterConfig | null;
  /** The private folder of the erasure job's journal and traces. */
  readonly state: string;
  /** Where evidence is written. */
  readonly evidence: string;
  readonly jobs: readonly JobConfig[];
}

/** A Marquez server. */
export interface EventApi {
  readonly url: string;
  /** The environment variable that holds its token. */
  readonly tokenEnv: string | null;
}

export interface WarehouseConfig {
  readonly format: 'iceberg';
  readonly engine: 'embedded';
  readonly catalog: { readonly kind: 'directory'; readonly path: string; readonly takeOver: boolean };
}

export interface RegisterConfig {
  readonly path: string;
  /** Key id to the environment variable that holds the key. */
  readonly keys: ReadonlyMap<string, string>;
  /** The id of the key that new entries are hashed with. */
  readonly current: string;
}

/** A job that builds tables again, by its OpenLineage name. */
export interface JobConfig {
  readonly name: string;
  readonly makes: readonly string[];
  /** It replaces its tables whole, whatever the events say. */
  readonly replacesAll: boolean;
  /** The program and its arguments; no shell reads them. */
  readonly run: readonly string[];
}
