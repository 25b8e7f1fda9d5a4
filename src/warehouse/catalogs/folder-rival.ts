import { ifThere } from '../../storage/if-there.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TableRefusal } from '../warehouse.ts';
import { isForeignName } from './metadata-files.ts';

/**
 * Why a table that a catalog with a pointer of its own knows may not be changed: its folder is read by a directory catalog too,
 * which counts its versions (`version-hint.text` names a `v{N}.metadata.json` that is there). Null where it is not.
 */
export async function folderRival(storage: Storage, metadataFile: string): Promise<TableRefusal | null> {
  const folder = metadataFile.slice(0, metadataFile.lastIndexOf('/'));
  if (!isForeignName(metadataFile.slice(folder.length + 1))) return null;
  const hint = await textOf(storage, `${folder}/version-hint.text`);
  if (hint === null || !/^\d{1,15}$/.test(hint)) return null;
  if ((await storage.statIfThere(`${folder}/v${hint}.metadata.json`)) === null) return null;
  return {
    code: 'foreign-catalog',
    reason: 'a directory catalog reads this table from its folder too, and would soon name deleted files',
    remedy:
      'Let one catalog hold the table: remove version-hint.text and the v….metadata.json files, if nobody reads by them',
  };
}

async function textOf(storage: Storage, location: string): Promise<string | null> {
  return ifThere(async () => new TextDecoder().decode(await storage.read(location)).trim());
}
