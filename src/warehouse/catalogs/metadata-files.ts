import type { Storage } from '../../storage/storage.ts';

const METADATA_FILE = /^(?:.*\.metadata\.json(?:\.gz)?)$/;
/** The file beside the metadata that says which version is the newest. */
export const HINT = 'version-hint.text';

/** Whether a file name is that of table metadata (`v3.metadata.json`, `00001-….gz.metadata.json`, `….metadata.json.gz`). */
export function isMetadataFile(name: string): boolean {
  return METADATA_FILE.test(name);
}

/** The number that a metadata file's name begins with, after an optional `v`; null where there is none. */
export function versionOf(name: string): number | null {
  const digits = /^v?(\d{1,15})(?=[.-])/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Whether a name is one that catalogs with a pointer of their own give (`00012-2f3b….metadata.json`). */
export function isForeignName(name: string): boolean {
  return /^\d+-/.test(name);
}

/** The name of a file by its location. */
export function nameOf(location: string): string {
  return location.slice(location.lastIndexOf('/') + 1);
}

/**
 * Writes the hint. It may be stale at any time: readers go on from it, and do without it where it says nothing. So nobody waits until it
 * is on disk.
 */
export async function writeHint(storage: Storage, folder: string, version: number): Promise<void> {
  await storage.replace(`${folder}/${HINT}`, new TextEncoder().encode(String(version)), 'nothing');
}

/** Removes the hint. */
export async function removeHint(storage: Storage, folder: string): Promise<void> {
  await storage.remove(`${folder}/${HINT}`);
}

/**
 * Removes metadata files that have fallen off the log, where they lie beside the newest. A log can name anything else: that of a table
 * that was registered, copied or moved names another one's files, and only the sweep can tell what others need. The commit stands by then,
 * so nothing that fails here may be told as a failure of it: what is not removed is left to the sweep.
 */
export async function removeForgotten(
  storage: Storage,
  newest: string,
  files: readonly string[],
): Promise<void> {
  for (const file of files) {
    try {
      if (isOlderBeside(storage.normalize(newest), storage.normalize(file))) await storage.remove(file);
    } catch {}
  }
}

function isOlderBeside(newest: string, file: string): boolean {
  const folder = newest.slice(0, newest.lastIndexOf('/') + 1);
  return file !== newest && isMetadataFile(nameOf(file)) && file === folder + nameOf(file);
}
