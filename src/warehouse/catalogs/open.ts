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
    case 'rest':
      throw new Error('not built yet');
  }
}

/**
 * The folders on this machine beyond which a catalog's tables have no files: its own, or those that its setting declares; null where
 * it declares none, or some that are not on this machine.
 */
export function localRoots(setting: CatalogSetting): readonly string[] | null {
  if (setting.kind === 'directory') return [placeOf(setting.path)];
  const { locations = [] } = setting;
  const warehouse = setting.kind === 'sql' && setting.warehouse !== undefined ? [setting.warehouse] : [];
  const places = [...warehouse, ...locations].map(placeOf);
  return places.length > 0 && places.every(isLocal) ? places : null;
}

function isLocal(place: string): boolean {
  return place.startsWith('/') || place.toLowerCase().startsWith('file:');
}
