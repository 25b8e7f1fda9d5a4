import { InputError } from '../../../errors.ts';
import { type Database, type Statement, sql } from './database.ts';
import { isPassing } from './failures.ts';

/** How a database keeps its tables. */
export interface Layout {
  /** The condition that a row of `iceberg_tables` is a table; in version 1 of the layout it can be a view. */
  readonly isTable: Statement;
  /** Whether rows say what they are (version 1). */
  readonly typed: boolean;
}

/** As Iceberg's JDBC catalog and PyIceberg make them. */
const TABLES = sql`CREATE TABLE IF NOT EXISTS iceberg_tables (
  catalog_name VARCHAR(255) NOT NULL,
  table_namespace VARCHAR(255) NOT NULL,
  table_name VARCHAR(255) NOT NULL,
  metadata_location VARCHAR(1000),
  previous_metadata_location VARCHAR(1000),
  iceberg_type VARCHAR(5),
  PRIMARY KEY (catalog_name, table_namespace, table_name))`;

const NAMESPACES = sql`CREATE TABLE IF NOT EXISTS iceberg_namespace_properties (
  catalog_name VARCHAR(255) NOT NULL,
  namespace VARCHAR(255) NOT NULL,
  property_key VARCHAR(255) NOT NULL,
  property_value VARCHAR(1000) NOT NULL,
  PRIMARY KEY (catalog_name, namespace, property_key))`;

/**
 * Finds out how a database keeps its tables; with `create` it is made ready where it does not yet.
 *
 * @throws InputError `catalog/no-catalog` where there is none: nothing would be found in it, and a person's rows would seem gone
 */
export async function layoutOf(database: Database, create: boolean): Promise<Layout> {
  let columns = await database.columns('iceberg_tables');
  const namespaces = await database.columns('iceberg_namespace_properties');
  if (columns.size === 0 || namespaces.size === 0) {
    if (!create) {
      throw new InputError('catalog/no-catalog', `${database.shown} holds no catalog of Iceberg's`, {
        remedy: 'Correct the url of the catalog, or begin a new catalog there from code, with `create: true`',
        data: { catalog: database.shown },
      });
    }
    for (const statement of [TABLES, NAMESPACES]) await madeBySomebody(database, statement);
    columns = await database.columns('iceberg_tables');
  }
  const typed = columns.has('iceberg_type');
  return { typed, isTable: typed ? sql`(iceberg_type = ${'TABLE'} OR iceberg_type IS NULL)` : sql`1 = 1` };
}

/** Of several that make a table at the same time, Postgres refuses some, although it is there then. */
async function madeBySomebody(database: Database, statement: Statement): Promise<void> {
  try {
    await database.run(statement);
  } catch (cause) {
    if (isPassing(cause)) throw cause;
    await database.run(statement);
  }
}
