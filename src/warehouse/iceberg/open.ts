import { setTimeout } from 'node:timers/promises';
import {
  localStorage,
  mountedStorage,
  type S3StorageOptions,
  type Storage,
  s3Storage,
  storageByScheme,
} from '../../storage/index.ts';
import type { Clock, Random } from '../../values/time.ts';
import { withDeclaredTables } from '../catalogs/declared.ts';
import { declaredRoots, openCatalog } from '../catalogs/open.ts';
import type { CatalogSetting } from '../catalogs/settings.ts';
import { HandedOut } from '../catalogs/vended.ts';
import type { DataPlane } from '../data-plane.ts';
import { tablesOf } from '../tables.ts';
import type { Warehouse } from '../warehouse.ts';
import { icebergFormat } from './format.ts';

/** What {@link openIceberg} takes. */
export interface IcebergSettings {
  /** Where the tables are known. */
  readonly catalog: CatalogSetting;
  readonly clock: Clock;
  /** Gives table, snapshot and file names; it must be secure only as far as names must not collide. */
  readonly random: Random;
  /** Waits between tries of a catalog; a timer if left out. */
  readonly sleep?: (ms: number) => Promise<void>;
  /**
   * Files on this machine and in S3 if left out: on this machine under the folders that the catalog declares, where it declares any; in
   * S3 by the keys that the catalog hands out, else by `s3`.
   */
  readonly storage?: Storage;
  /** How S3 is reached, where no `storage` is given. */
  readonly s3?: Omit<S3StorageOptions, 'random'>;
  /** Where the bytes of a prefix are now; metadata keeps the prefix as written (`{ 's3://lake/wh/': '/restored/wh/' }`). */
  readonly mounts?: Readonly<Record<string, string>>;
  /** Tables that the catalog does not know, by name: the folder of each. */
  readonly tables?: Readonly<Record<string, string>>;
  /** DuckDB in this process if left out. */
  readonly plane?: DataPlane;
}

/**
 * Opens Iceberg tables: format versions 1 to 3 are read and changed, each kept as it is (design section 12). Close it to free the data
 * plane and the catalog's connection.
 *
 * @throws InputError `catalog/…` where the setting is wrong, nothing is there, or the package that this kind needs is not installed
 *
 * @example
 * const warehouse = await openIceberg({ catalog: { kind: 'directory', path: 'warehouse' }, ...system });
 * const rows = await warehouse.count('crm.learners');
 */
export async function openIceberg(settings: IcebergSettings): Promise<Warehouse> {
  const { clock, random, sleep = setTimeout } = settings;
  const handedOut = new HandedOut(clock);
  const storage = mountedStorage(
    settings.storage ?? defaultStorage(settings, handedOut),
    settings.mounts ?? {},
  );
  const parts = { storage, clock, random, patience: { sleep: (ms: number) => sleep(ms), random }, handedOut };
  const catalog = withDeclaredTables({
    catalog: await openCatalog(settings.catalog, parts),
    tables: settings.tables ?? {},
    parts,
  });
  const plane = settings.plane ?? (await defaultPlane(storage));
  return tablesOf({ catalog, format: icebergFormat({ storage, clock, random }), plane, storage, clock });
}

function defaultStorage(
  { catalog, random, s3 = {}, mounts = {}, tables = {} }: IcebergSettings,
  handedOut: HandedOut,
): Storage {
  const roots = declaredRoots(catalog, [...Object.values(mounts), ...Object.values(tables)]);
  const local = localStorage({ roots: roots.local });
  // No roots are all roots: a kind in which nothing is declared, though something is elsewhere, is not opened at all.
  const anywhere = roots.local.length + roots.s3.length === 0;
  if (!anywhere && roots.s3.length === 0) return local;
  const remote = s3Storage({ random, roots: roots.s3, ...s3, accessOf: handedOut.accessOf });
  return !anywhere && roots.local.length === 0 ? remote : storageByScheme({ local, s3: remote });
}

/** DuckDB is loaded only by those who use it. */
async function defaultPlane(storage: Storage): Promise<DataPlane> {
  const { duckdbPlane } = await import('../planes/duckdb/index.ts');
  return duckdbPlane({ storage });
}
