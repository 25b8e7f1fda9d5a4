import { FailedError } from '../../../errors.ts';
import { type Patience, pause } from '../patience.ts';
import { type Database, type Row, type Statement, sql } from './database.ts';
import { isLost, isPassing } from './failures.ts';
import { type Identifier, identifierOf, type TableRow, tableOf } from './identifier.ts';
import { type Layout, layoutOf } from './layout.ts';

/** What {@link CatalogRows} needs. */
export interface CatalogRowsOptions {
  readonly database: Database;
  readonly catalog: string;
  readonly create: boolean;
  readonly patience: Patience;
}

/** One step of a table's pointer. */
export interface Move {
  readonly identifier: Identifier;
  readonly from: string;
  /** A file that no step named before: so the same step made twice is made once. */
  readonly to: string;
}

/** What is known of a step after it was tried. */
export type Moved = 'moved' | 'not-moved' | 'unknown';

const READ_TRIES = 5;
const BACKOFF = { firstMs: 50, longestMs: 5_000 };

/** The rows of one catalog in its database. Reading is tried again after a lost connection; writing only where that is safe. */
export class CatalogRows {
  readonly database: Database;
  readonly catalog: string;
  readonly #create: boolean;
  readonly #patience: Patience;
  #layout: Promise<Layout> | undefined;

  constructor({ database, catalog, create, patience }: CatalogRowsOptions) {
    this.database = database;
    this.catalog = catalog;
    this.#create = create;
    this.#patience = patience;
  }

  /** The tables of this catalog. */
  async tables(): Promise<readonly TableRow[]> {
    return this.#select(sql`catalog_name = ${this.catalog}`);
  }

  async find(table: string): Promise<TableRow | null> {
    const { namespace, name } = identifierOf(table);
    const [row] = await this.#select(
      sql`catalog_name = ${this.catalog} AND table_namespace = ${namespace} AND table_name = ${name}`,
    );
    if (row !== undefined) return row;
    // A dot may stand in the table's own name.
    return (await this.tables()).find((other) => tableOf(other) === table) ?? null;
  }

  /** The tables, of any catalog in this database, whose metadata file's place ends in this text. */
  async placedAt(tail: string): Promise<readonly TableRow[]> {
    const pattern = `%${tail.replace(/[\\%_]/g, '\\$&')}%`;
    return this.#select(sql`metadata_location LIKE ${pattern} ESCAPE '\\'`);
  }

  /** The names of all catalogs in this database. */
  async catalogs(): Promise<ReadonlySet<string>> {
    const rows = await this.#rows(
      sql`SELECT catalog_name FROM iceberg_tables UNION SELECT catalog_name FROM iceberg_namespace_properties`,
    );
    return new Set(rows.map((row) => row.catalog_name ?? ''));
  }

  async namespaceLocation(namespace: string): Promise<string | null> {
    const [row] = await this.#rows(
      sql`SELECT property_value FROM iceberg_namespace_properties WHERE catalog_name = ${this.catalog} AND namespace = ${namespace} AND property_key = ${'location'}`,
    );
    return row?.property_value ?? null;
  }

  /** Adds a table, and its namespace where that is not there yet. False where the name is taken. */
  async insert({ namespace, name }: Identifier, file: string): Promise<boolean> {
    const { typed } = await this.#laidOut();
    await this.#again(() =>
      this.database.run(
        sql`INSERT INTO iceberg_namespace_properties (catalog_name, namespace, property_key, property_value) VALUES (${this.catalog}, ${namespace}, ${'exists'}, ${'true'}) ON CONFLICT DO NOTHING`,
      ),
    );
    const statement = typed
      ? sql`INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, metadata_location, previous_metadata_location, iceberg_type) VALUES (${this.catalog}, ${namespace}, ${name}, ${file}, ${null}, ${'TABLE'}) ON CONFLICT DO NOTHING`
      : sql`INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, metadata_location, previous_metadata_location) VALUES (${this.catalog}, ${namespace}, ${name}, ${file}, ${null}) ON CONFLICT DO NOTHING`;
    // A name that is taken stays so: adding it twice is adding it once, and the row says by whose file.
    const added = await this.#again(() => this.database.run(statement));
    return added === 1 || (await this.find(tableOf({ namespace, name })))?.metadataFile === file;
  }

  /**
   * Moves a table's pointer, if it stands where it is expected. After a lost connection the pointer is read before anything else;
   * the step is made again only while the pointer is where it was, which does nothing where the first one still arrives.
   */
  async move(step: Move): Promise<Moved> {
    const { typed, isTable } = await this.#laidOut();
    const { identifier, from, to } = step;
    const where = sql`catalog_name = ${this.catalog} AND table_namespace = ${identifier.namespace} AND table_name = ${identifier.name} AND metadata_location = ${from}`;
    const statement = sql`UPDATE iceberg_tables SET metadata_location = ${to}, previous_metadata_location = ${from} WHERE ${typed ? sql`${where} AND ${isTable}` : where}`;
    let lost = false;
    for (let tried = 0; tried < READ_TRIES; tried += 1) {
      try {
        if (lost) {
          const there = await this.#pointer(identifier);
          if (there === to) return 'moved';
          if (there !== from) return 'unknown';
        }
        if ((await this.database.run(statement)) === 1) return 'moved';
        if (!lost) return 'not-moved';
      } catch (cause) {
        if (!lost && !isLost(cause)) throw cause;
        if (!isPassing(cause)) return 'unknown';
        lost = true;
      }
      await pause(this.#patience, tried, BACKOFF);
    }
    return 'unknown';
  }

  /** Takes a table out. */
  async delete({ namespace, name }: Identifier): Promise<void> {
    const { isTable } = await this.#laidOut();
    await this.#again(() =>
      this.database.run(
        sql`DELETE FROM iceberg_tables WHERE catalog_name = ${this.catalog} AND table_namespace = ${namespace} AND table_name = ${name} AND ${isTable}`,
      ),
    );
  }

  /** Where a table's pointer stands, whatever stands there; null without one. */
  async #pointer({ namespace, name }: Identifier): Promise<string | null> {
    const [row] = await this.database.rows(
      sql`SELECT metadata_location FROM iceberg_tables WHERE catalog_name = ${this.catalog} AND table_namespace = ${namespace} AND table_name = ${name}`,
    );
    return row?.metadata_location ?? null;
  }

  async #select(where: Statement): Promise<readonly TableRow[]> {
    const { isTable } = await this.#laidOut();
    const rows = await this.#rows(
      sql`SELECT catalog_name, table_namespace, table_name, metadata_location FROM iceberg_tables WHERE ${isTable} AND ${where}`,
    );
    return rows.map((row) => ({
      catalog: row.catalog_name ?? '',
      namespace: row.table_namespace ?? '',
      name: row.table_name ?? '',
      metadataFile: pointerOf(row, this.database.shown),
    }));
  }

  async #rows(statement: Statement): Promise<readonly Row[]> {
    await this.#laidOut();
    return this.#again(() => this.database.rows(statement));
  }

  #laidOut(): Promise<Layout> {
    this.#layout ??= this.#again(() => layoutOf(this.database, this.#create)).catch((cause: unknown) => {
      this.#layout = undefined;
      throw cause;
    });
    return this.#layout;
  }

  /** For what does no harm when it is done twice. */
  async #again<T>(work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await work();
      } catch (cause) {
        if (!isPassing(cause) || tried === READ_TRIES) throw cause;
        await pause(this.#patience, tried, BACKOFF);
      }
    }
  }
}

function pointerOf({ metadata_location: file, table_namespace, table_name }: Row, shown: string): string {
  if (file !== null && file !== undefined && file !== '') return file;
  const table = `${table_namespace}.${table_name}`;
  throw new FailedError('catalog/no-metadata', `The catalog at ${shown} says no metadata file for ${table}`, {
    remedy: 'Drop that entry of the catalog, or set its metadata_location to the newest metadata file',
    data: { table },
  });
}
