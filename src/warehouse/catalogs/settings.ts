import type { S3Access } from '../../storage/index.ts';

/** Where the tables are known. */
export type CatalogSetting = DirectoryCatalogSetting | SqlCatalogSetting | RestCatalogSetting;

/** A folder on this machine, without a service. */
export interface DirectoryCatalogSetting {
  readonly kind: 'directory';
  /** The folder under which the tables lie. */
  readonly path: string;
  /** Change tables that another catalog points to as well; its pointer is then behind. */
  readonly takeOver?: boolean;
}

/**
 * The JDBC layout that PyIceberg, Spark and Trino share, in SQLite (the package `libsql` is needed) or Postgres (`pg`).
 *
 * @example
 * const catalog = { kind: 'sql', url: 'postgresql://lethe@db/lake', password: process.env.LAKE_PASSWORD } as const;
 */
export interface SqlCatalogSetting extends DeclaredPlaces {
  readonly kind: 'sql';
  /** `sqlite:catalog.db` or `postgresql://user@host/database`; SQLAlchemy's and JDBC's spellings are taken too. */
  readonly url: string;
  /** Postgres: the password, where it does not stand in the url. */
  readonly password?: string;
  /** The name by which the other engines know this catalog (`catalog_name`); `default` if left out. */
  readonly name?: string;
  /** The folder or prefix under which new tables are put: `/lake`, `s3://lake/wh`. Without it, `create` needs a location. */
  readonly warehouse?: string;
  /** Make the database file and its tables where they are missing. Without it a mistyped address is an error. */
  readonly create?: boolean;
}

/**
 * A service that speaks Iceberg's REST specification. Without a token and without client credentials nothing is sent to prove
 * who asks.
 *
 * @example
 * const catalog = { kind: 'rest', uri: 'https://catalog.example/api/catalog', warehouse: 'lake', token } as const;
 */
export interface RestCatalogSetting extends DeclaredPlaces {
  readonly kind: 'rest';
  /** The address up to, but without, `/v1`. */
  readonly uri: string;
  /** The warehouse that the service is asked for, by the name it has there. */
  readonly warehouse?: string;
  /** The path part after `/v1`, where the service does not say it itself. */
  readonly prefix?: string;
  /** A bearer token. It is not renewed. */
  readonly token?: string;
  /** OAuth2 client credentials: a token is fetched, and another before it ends. */
  readonly oauth?: ClientCredentials;
  /** Requests are signed by AWS Signature 4 (Glue, S3 Tables). Needs the package `@aws-sdk/client-s3`. */
  readonly sigv4?: AwsSigning;
}

/** What a signature of AWS is made of. */
export interface AwsSigning {
  readonly region: string;
  /** The service as AWS names it: `glue`, `s3tables`, `execute-api`. */
  readonly service: string;
  /** Those that the AWS SDK finds on this machine if left out. */
  readonly credentials?: NonNullable<S3Access['credentials']>;
}

/** What a token is asked for with (RFC 6749, section 4.4). */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** `catalog` if left out. */
  readonly scope?: string;
  /** The address of the token endpoint; `/v1/oauth/tokens` of the catalog if left out. */
  readonly tokenUrl?: string;
  readonly audience?: string;
  readonly resource?: string;
}

/** Where the tables of a catalog may be. */
export interface DeclaredPlaces {
  /**
   * Folders or prefixes under which a table may lie, besides the folder for new tables. Where any is declared, a table elsewhere is
   * refused; where none is, the catalog is believed.
   */
  readonly locations?: readonly string[];
}
