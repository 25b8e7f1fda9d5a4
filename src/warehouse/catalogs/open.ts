import { InputError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Catalog } from '../catalog.ts';
import { directoryCatalog } from './directory.ts';
import type { CatalogParts } from './parts.ts';
import { placeOf } from './places.ts';
import type { CatalogSetting } from './settings.ts';

/**
 * Opens a catalog of any kind. What only one kind needs is loaded with it: nobody installs a database's driver for a folder.
 *
 * @throws InputError `catalog/no-folder` where a directory is a file, and what opening the other kinds throws
 */
export async function openCatalog(setting: CatalogSetting, parts: CatalogParts): Promise<Catalog> {
  switch (setting.kind) {
    case 'directory': {
      const path = placeOf(setting.path);
      await refuseFile(path, parts.storage);
      return directoryCatalog({ ...setting, path, ...parts });
    }
    case 'sql': {
      const { openSqlCatalog } = await import('./sql/open.ts');
      return openSqlCatalog(setting, parts);
    }
    case 'rest': {
      const { openRestCatalog } = await import('./rest/open.ts');
      return openRestCatalog(setting, parts);
    }
  }
}

/** A file has no tables under it, and would look like a lake that is empty. In S3 a prefix may be an object's name, too. */
async function refuseFile(path: string, storage: Storage): Promise<void> {
  if (isS3(path) || (await storage.statIfThere(path)) === null) return;
  throw new InputError('catalog/no-folder', `${path} is a file, and no folder of tables`, {
    remedy: 'Name the folder in which the tables lie',
    data: { path },
  });
}

/** The folders and prefixes beyond which a catalog's tables have no files, as its setting declares them. */
export interface DeclaredRoots {
  readonly local: readonly string[];
  readonly s3: readonly string[];
}

/**
 * What a setting declares: a directory its own folder, another kind the folder for new tables and further places. Where it declares any,
 * `besides` are allowed with them.
 */
export function declaredRoots(setting: CatalogSetting, besides: readonly string[] = []): DeclaredRoots {
  const declared = placesOf(setting);
  const places = (declared.length === 0 ? [] : [...declared, ...besides]).map(placeOf);
  return { local: places.filter((place) => !isS3(place)), s3: places.filter(isS3) };
}

function placesOf(setting: CatalogSetting): readonly string[] {
  if (setting.kind === 'directory') return [setting.path];
  const { locations = [] } = setting;
  return setting.kind === 'sql' && setting.warehouse !== undefined
    ? [setting.warehouse, ...locations]
    : locations;
}

function isS3(place: string): boolean {
  return /^s3[an]?:/i.test(place);
}
