import type { Catalog } from '../catalog.ts';
import { directoryCatalog } from './directory.ts';
import type { CatalogParts } from './parts.ts';
import { placeOf } from './places.ts';
import type { CatalogSetting } from './settings.ts';

/**
 * Opens a catalog of any kind. What only one kind needs is loaded with it: nobody installs a database's driver for a folder.
 *
 * @throws what opening that kind throws
 */
export async function openCatalog(setting: CatalogSetting, parts: CatalogParts): Promise<Catalog> {
  switch (setting.kind) {
    case 'directory':
      return directoryCatalog({ ...setting, path: placeOf(setting.path), ...parts });
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
  const isS3 = (place: string): boolean => /^s3[an]?:/i.test(place);
  return { local: places.filter((place) => !isS3(place)), s3: places.filter(isS3) };
}

function placesOf(setting: CatalogSetting): readonly string[] {
  if (setting.kind === 'directory') return [setting.path];
  const { locations = [] } = setting;
  return setting.kind === 'sql' && setting.warehouse !== undefined
    ? [setting.warehouse, ...locations]
    : locations;
}
