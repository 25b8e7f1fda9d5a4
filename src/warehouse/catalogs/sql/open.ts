import type { Catalog } from '../../catalog.ts';
import type { CatalogParts } from '../parts.ts';
import type { Patience } from '../patience.ts';
import { Places, placeOf } from '../places.ts';
import type { SqlCatalogSetting } from '../settings.ts';
import { parseAddress } from './address.ts';
import { sqlCatalog } from './catalog.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { CatalogRows } from './rows.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens a catalog in a database. Postgres is asked for nothing yet.
 *
 * @throws InputError `catalog/url`, `catalog/no-database`, `catalog/no-driver`
 */
export async function openSqlCatalog(
  setting: SqlCatalogSetting,
  { storage, clock, random, patience }: CatalogParts,
): Promise<Catalog> {
  const { name = 'default', create = false } = setting;
  const warehouse = setting.warehouse === undefined ? null : placeOf(setting.warehouse);
  const locations = (setting.locations ?? []).map(placeOf);
  const database = await openDatabase(setting, create, patience);
  const declared = warehouse === null ? locations : [warehouse, ...locations];
  return sqlCatalog({
    rows: new CatalogRows({ database, catalog: name, create, patience }),
    storage,
    places: new Places(storage, declared),
    warehouse: warehouse === null ? null : asUri(warehouse),
    clock,
    random,
    patience,
  });
}

async function openDatabase(
  { url, password }: SqlCatalogSetting,
  create: boolean,
  patience: Patience,
): Promise<Database> {
  const address = parseAddress(url);
  if (address.kind === 'sqlite') return openSqlite({ path: address.path, create, patience });
  return openPostgres({ url: address.url, ...(password === undefined ? {} : { password }) });
}

/** The other engines read a path without a scheme in storages of their own. */
function asUri(warehouse: string): string {
  return warehouse.startsWith('/') ? `file://${warehouse}` : warehouse;
}
