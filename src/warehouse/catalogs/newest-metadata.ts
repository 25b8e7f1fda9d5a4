import { LetheError } from '../../errors.ts';
import { foldersWith } from '../../storage/folders-with.ts';
import { ifThere } from '../../storage/if-there.ts';
import type { FileStat, Storage } from '../../storage/storage.ts';
import { readMetadata } from '../iceberg/metadata/metadata.ts';
import { HINT, isMetadataFile, nameOf, versionOf } from './metadata-files.ts';
import { Unchanged } from './unchanged.ts';

const MOST_HINT_BYTES = 64 * 1024;

/**
 * Finds the newest metadata of tables in folders (design section 12): the version that the hint names, then on while there is a next
 * one, or the highest where one question shows them all; without a hint the highest leading number, else the latest `last-updated-ms`.
 */
export class NewestMetadata {
  readonly #storage: Storage;
  readonly #hints: Unchanged<string | null>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#hints = new Unchanged({ storage, mostBytes: MOST_HINT_BYTES, read: (_, bytes) => hintIn(bytes) });
  }

  /** The newest metadata file in a table's `metadata/` folder; null where there is none. */
  async in(folder: string): Promise<FileStat | null> {
    return (await this.#fromHint(folder, await this.#listed(folder))) ?? (await this.#withoutHint(folder));
  }

  /**
   * A metadata file with a higher number than the newest, which a missing version hides from those who go on from a hint that is behind;
   * null where there is none.
   */
  async hidden(folder: string): Promise<string | null> {
    if (this.#beginning(folder) !== null) return null;
    for (;;) {
      const newest = await this.in(folder);
      const found = newest === null ? null : await this.#higher(folder, versionOf(nameOf(newest.location)));
      // What another writer committed meanwhile was hidden by nothing.
      if (found === null || (await this.in(folder))?.location === newest?.location) return found;
    }
  }

  async #higher(folder: string, version: number | null): Promise<string | null> {
    let found: string | null = null;
    const isHigher = (name: string): boolean => {
      const higher = isMetadataFile(name) && (versionOf(name) ?? -1) > (version ?? -1);
      if (higher) found = name;
      return higher;
    };
    const here = this.#storage.normalize(folder);
    for await (const each of foldersWith(this.#storage, folder, isHigher))
      if (each === here) return `${here}/${found}`;
    return null;
  }

  async #fromHint(folder: string, listed: Listed | null): Promise<FileStat | null> {
    const asked: Names = (name) => this.#storage.statIfThere(`${folder}/${name}`);
    const hint = await this.#hintOf(folder, listed);
    if (hint === null) return null;
    const newest = listed === null ? await onwards(hint, asked) : await highest(hint, listed);
    // A hint that is newer than the listing, or of another spelling, names what the listing lacks.
    return newest === null && listed !== null ? onwards(hint, asked) : newest;
  }

  /** The hint and every version in one question, where that is cheaper than a question for each name. */
  async #listed(folder: string): Promise<Listed | null> {
    const files = this.#beginning(folder);
    if (files === null) return null;
    const found = new Map<string, FileStat>();
    for await (const file of files) found.set(nameOf(file.location), file);
    return found;
  }

  #beginning(folder: string): AsyncIterable<FileStat> | null {
    return this.#storage.listBeginning?.(`${folder}/v`) ?? null;
  }

  async #hintOf(folder: string, listed: Listed | null): Promise<string | null> {
    const file = listed === null ? { location: `${folder}/${HINT}` } : listed.get(HINT);
    return file === undefined ? null : ifThere(() => this.#hints.of(file));
  }

  async #withoutHint(folder: string): Promise<FileStat | null> {
    const files: { readonly file: FileStat; readonly version: number }[] = [];
    for await (const file of this.#storage.list(folder)) {
      const name = file.location.slice(this.#storage.normalize(folder).length + 1);
      if (!name.includes('/') && isMetadataFile(name)) files.push({ file, version: versionOf(name) ?? -1 });
    }
    const highest = files.reduce((most, { version }) => Math.max(most, version), -1);
    const candidates = files.filter(({ version }) => version === highest).map(({ file }) => file);
    if (candidates.length <= 1) return candidates[0] ?? null;
    const dated = await Promise.all(candidates.map((file) => lastUpdated(this.#storage, file)));
    dated.sort((a, b) => b.at - a.at || (a.file.location < b.file.location ? 1 : -1));
    return dated[0]?.file ?? null;
  }
}

/** What a hint says, if it can be part of a file name. */
function hintIn(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes).trim();
  return /^[\w.-]{1,200}$/.test(text) ? text : null;
}

/** The file of a name in one folder; null where there is none. */
type Names = (name: string) => Promise<FileStat | null>;

/** The hint and all versions of one folder, by name. */
type Listed = ReadonlyMap<string, FileStat>;

/** The version that a hint names, or the highest after it, whatever is missing in between; null where the hint names nothing. */
async function highest(hint: string, listed: Listed): Promise<FileStat | null> {
  const names: Names = async (name) => listed.get(name) ?? null;
  const named = await firstOf(spellings(hint), names);
  if (named === null || !/^\d{1,15}$/.test(hint)) return named;
  const versions = [...listed.keys()].map((name) => versionOf(name) ?? -1);
  for (const version of versions.filter((each) => each > Number(hint)).sort((a, b) => b - a)) {
    const file = await firstOf(spellings(String(version), ['v']), names);
    if (file !== null) return file;
  }
  return named;
}

/** The version that a hint names, then on while there is a next one; null where it names nothing. */
async function onwards(hint: string, names: Names): Promise<FileStat | null> {
  let newest = await firstOf(spellings(hint), names);
  if (!/^\d{1,15}$/.test(hint)) return newest;
  for (let version = Number(hint) + 1, next = newest; next !== null; version += 1) {
    newest = next;
    // After a `v1` comes no `2`.
    const marks = nameOf(newest.location).startsWith('v') ? ['v'] : undefined;
    next = await firstOf(spellings(String(version), marks), names);
  }
  return newest;
}

async function firstOf(candidates: readonly string[], names: Names): Promise<FileStat | null> {
  for (const name of candidates) {
    const file = await names(name);
    if (file !== null) return file;
  }
  return null;
}

function spellings(hint: string, marks: readonly string[] = ['v', '']): readonly string[] {
  return ['.metadata.json', '.gz.metadata.json', '.metadata.json.gz'].flatMap((end) =>
    marks.map((mark) => `${mark}${hint}${end}`),
  );
}

interface Dated {
  readonly file: FileStat;
  readonly at: number;
}

/** A damaged candidate counts as oldest, so that it never hides a whole one. */
async function lastUpdated(storage: Storage, file: FileStat): Promise<Dated> {
  const { location } = file;
  try {
    return { file, at: readMetadata(location, await storage.read(location)).lastUpdated };
  } catch (cause) {
    if (cause instanceof LetheError) return { file, at: -1 };
    throw cause;
  }
}
