import { InputError, LetheError, RefusedError } from '../../errors.ts';
import { foldersWith } from '../../storage/folders-with.ts';
import type { FileStat, Storage } from '../../storage/storage.ts';
import type { Clock } from '../../values/time.ts';
import type { Catalog, CatalogEntry, LoadedTable, TableCommit } from '../catalog.ts';
import { tableExists } from '../errors.ts';
import { type TableMetadata, writeMetadata } from '../iceberg/metadata/metadata.ts';
import { applyUpdates, checkRequirements, forgottenFiles } from '../iceberg/metadata/updates.ts';
import { missingTable } from '../missing-table.ts';
import type { TableRefusal } from '../warehouse.ts';
import { within } from '../within.ts';
import { entriesByName } from './entries.ts';
import { nameTaken, neverAtRest, refused } from './failures.ts';
import {
  isForeignName,
  isMetadataFile,
  nameOf,
  removeForgotten,
  removeHint,
  versionOf,
  writeHint,
} from './metadata-files.ts';
import { NewestMetadata } from './newest-metadata.ts';
import { isAbove, locationAbove } from './places.ts';
import { nameParts } from './table-name.ts';
import { type Unchanged, unchangedMetadata } from './unchanged.ts';

/** What {@link directoryCatalog} needs. */
export interface DirectoryCatalogOptions {
  readonly path: string;
  readonly storage: Storage;
  readonly clock: Clock;
  /** Change tables that another catalog points to as well; its pointer is then behind (design section 12). */
  readonly takeOver?: boolean;
}

/** Commits of others that may come between reading the newest version and creating the next one. */
const MOST_RACES = 1000;

/**
 * A folder as catalog, without a service: every folder below it that has a `metadata/` of Iceberg's is a table, named by its
 * folders (`crm/learners` and `crm.db/learners` are `crm.learners`). A commit creates `v{N+1}.metadata.json`, which of several
 * writers only one can, and then moves the hint.
 *
 * Engines of Hadoop's catalog that write to the same table may overwrite a version by renaming (hazard 45), so a commit reads
 * back what it wrote; still, let one kind of writer write at a time.
 */
export function directoryCatalog(options: DirectoryCatalogOptions): Catalog {
  return new DirectoryCatalog(options);
}

class DirectoryCatalog implements Catalog {
  readonly root: string;
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #takeOver: boolean;
  readonly #newest: NewestMetadata;
  readonly #metadata: Unchanged<TableMetadata>;
  #locations: ReadonlyMap<string, string> = new Map();

  constructor({ path, storage, clock, takeOver = false }: DirectoryCatalogOptions) {
    this.root = storage.normalize(path);
    this.#storage = storage;
    this.#clock = clock;
    this.#takeOver = takeOver;
    this.#newest = new NewestMetadata(storage);
    this.#metadata = unchangedMetadata(storage);
  }

  async list(): Promise<readonly CatalogEntry[]> {
    const folders = new Set<string>();
    for await (const folder of foldersWith(this.#storage, this.root, isMetadataFile)) {
      if (folder.endsWith('/metadata')) folders.add(folder.slice(0, -'/metadata'.length));
    }
    const entries = entriesByName(
      [...folders].map((location) => ({ table: this.#nameOf(location), location })),
    );
    this.#locations = new Map(entries.map(({ table, location }) => [table, location]));
    return entries;
  }

  async load(table: string): Promise<LoadedTable> {
    const found = await this.#find(table);
    if (found === null) {
      const location = await this.defaultLocation(table);
      throw await missingTable(this.#storage, { table, location, known: [...this.#locations.keys()] });
    }
    const { location, newest } = found;
    const metadataFile = newest.location;
    const metadata = await this.#metadata.of(newest);
    this.#checkLocation(table, location, { metadata, metadataFile });
    return { table, metadata, metadataFile, refusal: this.#refusal(metadataFile) };
  }

  async hidden(table: string): Promise<string | null> {
    const location = this.#locations.get(table) ?? (await this.#find(table))?.location;
    return location === undefined ? null : this.#newest.hidden(`${location}/metadata`);
  }

  async defaultLocation(table: string): Promise<string> {
    const parts = nameParts(table);
    return `${this.root}/${parts.join('/')}`;
  }

  async create(table: string, metadata: TableMetadata): Promise<LoadedTable> {
    const location = this.#storage.normalize(metadata.location);
    if (!within(this.root, location) || this.#nameOf(location) !== table) {
      throw new InputError('warehouse/location', `A table at ${location} is not found as ${table}`, {
        remedy: `In a directory, a table's folders are its name: leave the location out`,
        data: { table, location },
      });
    }
    if ((await this.#find(table)) !== null) throw tableExists(table);
    const file = `${location}/metadata/v1.metadata.json`;
    if (!(await this.#createVersion(file, metadata))) throw tableExists(table);
    await writeHint(this.#storage, `${location}/metadata`, 1);
    this.#locations = new Map([...this.#locations, [table, location]]);
    return { table, metadata, metadataFile: file, refusal: null };
  }

  async commit(table: string, { requirements, updates }: TableCommit): Promise<LoadedTable> {
    let lost: string | null = null;
    for (let race = 0; race < MOST_RACES; race += 1) {
      const base = await this.load(table);
      if (base.refusal !== null) throw refused(table, base.refusal);
      checkRequirements(base.metadata, requirements);
      const metadata = applyUpdates(base.metadata, updates, {
        previousFile: base.metadataFile,
        now: this.#clock.now(),
      });
      const folder = base.metadataFile.slice(0, base.metadataFile.lastIndexOf('/'));
      const version = (versionOf(nameOf(base.metadataFile)) ?? 0) + 1;
      const file = `${folder}/v${version}.metadata.json`;
      // Lost to the same name before, with no file behind it: that was no writer.
      if (file === lost && (await this.#isNoFile(file))) throw nameTaken(table, file);
      lost = file;
      if (!(await this.#createVersion(file, metadata))) continue;
      // The version is there, and with it the commit: a hint may be behind, and readers go on from it.
      await writeHint(this.#storage, folder, version).catch(() => {});
      await removeForgotten(this.#storage, file, forgottenFiles(base.metadata, metadata));
      return { table, metadata, metadataFile: file, refusal: null };
    }
    throw neverAtRest(table, MOST_RACES);
  }

  async drop(table: string): Promise<void> {
    const { metadataFile } = await this.load(table);
    const folder = metadataFile.slice(0, metadataFile.lastIndexOf('/'));
    const files: string[] = [];
    for await (const { location } of this.#storage.list(folder)) {
      const name = location.slice(folder.length + 1);
      if (isMetadataFile(name) && location !== metadataFile) files.push(location);
    }
    // The newest goes last: until then, readers see the table as it was.
    await removeHint(this.#storage, folder);
    for (const file of [...files, metadataFile]) await this.#storage.remove(file);
  }

  /** Of several writers one creates the file. What stands there afterwards must be what was written (hazard 45). */
  async #createVersion(file: string, metadata: TableMetadata): Promise<boolean> {
    const bytes = writeMetadata(metadata);
    try {
      await this.#storage.writeIfAbsent(file, bytes);
    } catch (cause) {
      if (cause instanceof LetheError && cause.code === 'storage/exists') return false;
      throw cause;
    }
    const whole = Buffer.compare(await this.#storage.read(file), bytes) === 0;
    if (whole) this.#metadata.wrote(file, bytes, metadata);
    return whole;
  }

  /** Whether a file's name is taken by something else: a folder, a pipe, a link to nothing. */
  async #isNoFile(file: string): Promise<boolean> {
    const folder = file.slice(0, file.lastIndexOf('/'));
    if ((await this.#storage.statIfThere(file)) !== null) return false;
    for await (const { location } of this.#storage.namesOnly?.(folder) ?? [])
      if (within(file, location)) return true;
    for await (const { location } of this.#storage.list(file)) if (location !== file) return true;
    return false;
  }

  /** A location found before is used while it still holds a table; else the folders are looked through again. */
  async #find(table: string): Promise<{ readonly location: string; readonly newest: FileStat } | null> {
    for (const look of [false, true]) {
      if (look) await this.list();
      const location = this.#locations.get(table);
      const newest = location === undefined ? null : await this.#newest.in(`${location}/metadata`);
      if (location !== undefined && newest !== null) return { location, newest };
    }
    return null;
  }

  #nameOf(location: string): string {
    const inside = location === this.root ? '' : location.slice(this.root.length + 1);
    const parts = inside === '' ? [nameOf(location)] : inside.split('/');
    return parts
      .map((part, index) => (index < parts.length - 1 ? part.replace(/\.db$/, '') : part))
      .join('.');
  }

  /** Metadata that claims another place would send deletes there. */
  #checkLocation(
    table: string,
    folder: string,
    { metadata, metadataFile: file }: Pick<LoadedTable, 'metadata' | 'metadataFile'>,
  ): void {
    const location = this.#storage.normalize(metadata.location);
    if (isAbove(location, folder)) throw locationAbove(table, { location: metadata.location, folder });
    if (within(this.root, location)) return;
    throw new RefusedError(
      'iceberg/location-outside',
      `${file}: the table is located at ${metadata.location}`,
      {
        remedy: 'Open the warehouse that holds that location, or mount it where its files are now',
        data: { file, location: metadata.location },
      },
    );
  }

  #refusal(file: string): TableRefusal | null {
    if (this.#takeOver || !isForeignName(nameOf(file))) return null;
    return {
      code: 'foreign-catalog',
      reason: 'another catalog points to this table, and would soon name deleted files',
      remedy: 'Open it through that catalog, or take the table over with take_over = true',
    };
  }
}
