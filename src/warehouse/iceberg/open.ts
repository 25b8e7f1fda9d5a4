import { resolve } from 'node:path';
import { localStorage } from '../../storage/local.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock, Random } from '../../values/time.ts';
import { directoryCatalog } from '../catalogs/directory.ts';
import type { DataPlane } from '../data-plane.ts';
import { tablesOf } from '../tables.ts';
import type { Warehouse } from '../warehouse.ts';
import { icebergFormat } from './format.ts';

/** Where the tables are known. */
export interface DirectoryCatalogSetting {
  readonly kind: 'directory';
  /** The folder under which the tables lie. */
  readonly path: string;
  /** Change tables that another catalog points to as well; its pointer is then behind. */
  readonly takeOver?: boolean;
}

/** What {@link openIceberg} takes. */
export interface IcebergSettings {
  readonly catalog: DirectoryCatalogSetting;
  readonly clock: Clock;
  /** Gives table, snapshot and file names; it must be secure only as far as names must not collide. */
  readonly random: Random;
  /** Files on this machine, under the catalog's folder only, if left out. */
  readonly storage?: Storage;
  /** DuckDB in this process if left out. */
  readonly plane?: DataPlane;
}

/**
 * Opens Iceberg tables: format versions 1 to 3 are read and changed, each kept as it is (design section 12). Close it to free the data
 * plane.
 *
 * @example
 * const warehouse = await openIceberg({ catalog: { kind: 'directory', path: 'warehouse' }, ...system });
 * const rows = await warehouse.count('crm.learners');
 */
export async function openIceberg(settings: IcebergSettings): Promise<Warehouse> {
  const { catalog, clock, random } = settings;
  const path = /^[a-z][a-z0-9+.-]*:/i.test(catalog.path) ? catalog.path : resolve(catalog.path);
  const storage = settings.storage ?? localStorage({ roots: [path] });
  const plane = settings.plane ?? (await defaultPlane(storage));
  return tablesOf({
    catalog: directoryCatalog({ ...catalog, path, storage, clock }),
    format: icebergFormat({ storage, clock, random }),
    plane,
    storage,
    clock,
  });
}

/** DuckDB is loaded only by those who use it. */
async function defaultPlane(storage: Storage): Promise<DataPlane> {
  const { duckdbPlane } = await import('../planes/duckdb/index.ts');
  return duckdbPlane({ storage });
}
