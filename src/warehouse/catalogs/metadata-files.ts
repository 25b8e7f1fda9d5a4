import { LetheError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { readMetadata } from '../iceberg/metadata/metadata.ts';

const METADATA_FILE = /^(?:.*\.metadata\.json(?:\.gz)?)$/;
const HINT = 'version-hint.text';

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

/** The location of the newest metadata file in a folder; null where there is none. */
export async function newestMetadata(storage: Storage, folder: string): Promise<string | null> {
  return (await fromHint(storage, folder)) ?? (await withoutHint(storage, folder));
}

/** Writes the hint. It may be stale at any time: readers go on from it. */
export async function writeHint(storage: Storage, folder: string, version: number): Promise<void> {
  await storage.replace(`${folder}/${HINT}`, new TextEncoder().encode(String(version)));
}

/** Removes the hint. */
export async function removeHint(storage: Storage, folder: string): Promise<void> {
  await storage.remove(`${folder}/${HINT}`);
}

/** The version that the hint names, then on while there is a next one; null where the hint names nothing that is there. */
async function fromHint(storage: Storage, folder: string): Promise<string | null> {
  const hint = await hintText(storage, folder);
  if (hint === null) return null;
  let newest = await firstThere(storage, folder, spellings(hint));
  if (!/^\d{1,15}$/.test(hint)) return newest;
  for (let version = Number(hint) + 1, next = newest; next !== null; version += 1) {
    newest = next;
    next = await firstThere(storage, folder, spellings(String(version)));
  }
  return newest;
}

/** What the hint says, if it can be part of a file name. */
async function hintText(storage: Storage, folder: string): Promise<string | null> {
  try {
    const hint = new TextDecoder().decode(await storage.read(`${folder}/${HINT}`)).trim();
    return /^[\w.-]{1,200}$/.test(hint) ? hint : null;
  } catch (cause) {
    if (isGone(cause)) return null;
    throw cause;
  }
}

async function firstThere(
  storage: Storage,
  folder: string,
  names: readonly string[],
): Promise<string | null> {
  for (const name of names) {
    try {
      return (await storage.stat(`${folder}/${name}`)).location;
    } catch (cause) {
      if (!isGone(cause)) throw cause;
    }
  }
  return null;
}

function isGone(cause: unknown): boolean {
  return cause instanceof LetheError && cause.code === 'storage/not-found';
}

function spellings(hint: string): readonly string[] {
  return ['.metadata.json', '.gz.metadata.json', '.metadata.json.gz'].flatMap((end) => [
    `v${hint}${end}`,
    `${hint}${end}`,
  ]);
}

/** The highest leading number; where several names have it, or none has one, the latest `last-updated-ms`. */
async function withoutHint(storage: Storage, folder: string): Promise<string | null> {
  const files: { readonly location: string; readonly version: number }[] = [];
  for await (const { location } of storage.list(folder)) {
    const name = location.slice(storage.normalize(folder).length + 1);
    if (!name.includes('/') && isMetadataFile(name)) files.push({ location, version: versionOf(name) ?? -1 });
  }
  const highest = files.reduce((most, { version }) => Math.max(most, version), -1);
  const candidates = files.filter(({ version }) => version === highest).map(({ location }) => location);
  if (candidates.length <= 1) return candidates[0] ?? null;
  const dated = await Promise.all(candidates.map((file) => lastUpdated(storage, file)));
  dated.sort((a, b) => b.at - a.at || (a.file < b.file ? 1 : -1));
  return dated[0]?.file ?? null;
}

interface Dated {
  readonly file: string;
  readonly at: number;
}

/** A damaged candidate counts as oldest, so that it never hides a whole one. */
async function lastUpdated(storage: Storage, file: string): Promise<Dated> {
  try {
    return { file, at: readMetadata(file, await storage.read(file)).lastUpdated };
  } catch (cause) {
    if (cause instanceof LetheError) return { file, at: -1 };
    throw cause;
  }
}
