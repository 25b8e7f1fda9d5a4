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
  /** The time that its events are read from; null for all. */
  readonly from: string | null;
  /** The file that they are kept in, so that those of the last day alone are asked for again; null where they are all read every time. */
  readonly keep: string | null;
}

export interface WarehouseConfig {
  readonly format: 'iceberg';
  readonly engine: 'embedded';
  readonly catalog: DirectoryCatalogConfig | SqlCatalogConfig | RestCatalogConfig;
  /** How S3 is reached; null where the file says nothing of it. */
  readonly storage: StorageConfig | null;
  /** A prefix as metadata writes it, to where its bytes are now. */
  readonly mounts: Readonly<Record<string, string>>;
  /** A table that no listing finds, to its folder. */
  readonly tables: Readonly<Record<string, string>>;
}

/** Names of environment variables end in `Env`; what is left out, the SDK finds in the environment. */
export interface StorageConfig {
  readonly kind: 's3';
  readonly region?: string;
  readonly endpoint?: string;
  readonly pathStyle?: boolean;
  readonly keys?: {
    readonly accessKeyEnv: string;
    readonly secretKeyEnv: string;
    readonly sessionTokenEnv?: string;
  };
  /** Where the private folder of temporary copies is made. */
  readonly temporary?: string;
}

export interface DirectoryCatalogConfig {
  readonly kind: 'directory';
  readonly path: string;
  readonly takeOver: boolean;
}

/** Exactly one of `url`, which holds no password, and `urlEnv` is there; names of environment variables end in `Env`. */
export interface SqlCatalogConfig {
  readonly kind: 'sql';
  readonly url?: string;
  readonly urlEnv?: string;
  readonly passwordEnv?: string;
  readonly name?: string;
  readonly warehouse?: string;
  readonly locations: readonly string[];
}

/** At most one of a token, client credentials and a signing is there; names of environment variables end in `Env`. */
export interface RestCatalogConfig {
  readonly kind: 'rest';
  readonly uri: string;
  readonly warehouse?: string;
  readonly prefix?: string;
  readonly tokenEnv?: string;
  readonly client?: {
    readonly idEnv: string;
    readonly secretEnv: string;
    readonly scope?: string;
    readonly tokenUrl?: string;
    readonly audience?: string;
    readonly resource?: string;
  };
  readonly sigv4?: { readonly region: string; readonly service: string };
  readonly locations: readonly string[];
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
