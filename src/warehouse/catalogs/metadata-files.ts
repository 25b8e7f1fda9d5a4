import { LetheError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { readMetadata } from '../iceberg/metadata.ts';

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
  const names = new Set<string>();
  for await (const { location } of storage.list(folder)) {
    const name = location.slice(folder.length + 1);
    if (!name.includes('/') && (isMetadataFile(name) || name === HINT)) names.add(name);
  }
  const hinted = names.has(HINT) ? await fromHint(storage, folder, names) : null;
  const newest = hinted ?? (await withoutHint(storage, folder, [...names].filter(isMetadataFile)));
  return newest === null ? null : `${folder}/${newest}`;
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
async function fromHint(
  storage: Storage,
  folder: string,
  names: ReadonlySet<string>,
): Promise<string | null> {
  const hint = new TextDecoder().decode(await storage.read(`${folder}/${HINT}`)).trim();
  const named = spellings(hint).find((name) => names.has(name));
  if (named === undefined || !/^\d{1,15}$/.test(hint)) return named ?? null;
  let newest = named;
  for (let version = Number(hint) + 1; ; version += 1) {
    const next = spellings(String(version)).find((name) => names.has(name));
    if (next === undefined) return newest;
    newest = next;
  }
}

function spellings(hint: string): readonly string[] {
  return ['.metadata.json', '.gz.metadata.json', '.metadata.json.gz'].flatMap((end) => [
    `v${hint}${end}`,
    `${hint}${end}`,
  ]);
}

/** The highest leading number; where several names have it, or none has one, the latest `last-updated-ms`. */
async function withoutHint(
  storage: Storage,
  folder: string,
  names: readonly string[],
): Promise<string | null> {
  const highest = Math.max(...names.map((name) => versionOf(name) ?? -1));
  const candidates = names.filter((name) => (versionOf(name) ?? -1) === highest);
  if (candidates.length <= 1) return candidates[0] ?? null;
  const dated = await Promise.all(candidates.map((name) => lastUpdated(storage, folder, name)));
  dated.sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1));
  return dated[0]?.name ?? null;
}

interface Dated {
  readonly name: string;
  readonly at: number;
}

/** A damaged candidate counts as oldest, so that it never hides a whole one. */
async function lastUpdated(storage: Storage, folder: string, name: string): Promise<Dated> {
  const file = `${folder}/${name}`;
  try {
    return { name, at: readMetadata(file, await storage.read(file)).lastUpdated };
  } catch (cause) {
    if (cause instanceof LetheError) return { name, at: -1 };
    throw cause;
  }
}
