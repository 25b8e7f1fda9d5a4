import { FailedError, InputError, type RefusedError } from '../../../errors.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { Clock, Random } from '../../../values/time.ts';
import type { Catalog, CatalogEntry, LoadedTable, TableCommit } from '../../catalog.ts';
import { noSuchTable, tableExists } from '../../errors.ts';
import { uuid, writeFolders } from '../../iceberg/commit/attempt.ts';
import { type TableMetadata, writeMetadata } from '../../iceberg/metadata/metadata.ts';
import { applyUpdates, checkRequirements, forgottenFiles } from '../../iceberg/metadata/updates.ts';
import type { TableRefusal } from '../../warehouse.ts';
import { entriesByName } from '../entries.ts';
import { neverAtRest, refused, unknownOutcome } from '../failures.ts';
import { removeForgotten, versionOf } from '../metadata-files.ts';
import { type Patience, pause } from '../patience.ts';
import type { Places } from '../places.ts';
import { nameParts } from '../table-name.ts';
import { type Unchanged, unchangedMetadata } from '../unchanged.ts';
import { identifierOf, type TableRow, tableOf } from './identifier.ts';
import { Rivals } from './rivals.ts';
import type { CatalogRows } from './rows.ts';

/** What {@link sqlCatalog} needs. */
export interface SqlCatalogOptions {
  readonly rows: CatalogRows;
  readonly storage: Storage;
  readonly places: Places;
  /** Where new tables are put; null where their makers say so. */
  readonly warehouse: string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly patience: Patience;
}

/** Commits of others that may come between reading the pointer and moving it. */
const MOST_RACES = 1000;
const BACKOFF = { firstMs: 5, longestMs: 200 };

/**
 * The JDBC layout that PyIceberg, Spark and Trino share (design section 12). A commit writes a metadata file of a name that nobody
 * else gives, then moves the table's pointer with one conditional UPDATE; the number of rows that it changed says who won.
 */
export function sqlCatalog(options: SqlCatalogOptions): Catalog {
  return new SqlCatalog(options);
}

class SqlCatalog implements Catalog {
  readonly #rows: CatalogRows;
  readonly #parts: SqlCatalogOptions;
  readonly #rivals: Rivals;
  readonly #metadata: Unchanged<TableMetadata>;
  /** The metadata file that was last seen under a name: a renamed table is known by it. */
  readonly #seen = new Map<string, string>();

  constructor(options: SqlCatalogOptions) {
    this.#parts = options;
    this.#rows = options.rows;
    this.#rivals = new Rivals(options.rows, options.storage);
    this.#metadata = unchangedMetadata(options.storage);
  }

  async list(): Promise<readonly CatalogEntry[]> {
    const rows = await this.#rows.tables();
    if (rows.length === 0) await this.#checkName();
    // The pointer names a metadata file, which need not lie in the table's own folder (`write.metadata.path`).
    return entriesByName(rows.map((row) => ({ table: tableOf(row), location: null })));
  }

  async load(table: string): Promise<LoadedTable> {
    const row = await this.#rows.find(table);
    if (row === null) throw await this.#missing(table);
    return this.#read(table, row);
  }

  async defaultLocation(table: string): Promise<string> {
    const parts = nameParts(table);
    const name = parts.at(-1)!;
    const given = await this.#rows.namespaceLocation(parts.slice(0, -1).join('.'));
    if (given !== null) return `${given.replace(/\/+$/, '')}/${name}`;
    const { warehouse } = this.#parts;
    if (warehouse === null) {
      throw new InputError('catalog/no-warehouse', `Nothing says where ${table} is to be put`, {
        remedy: 'Give the catalog a `warehouse`, a folder or prefix for new tables, or the table a location',
        data: { table },
      });
    }
    return `${warehouse.replace(/\/+$/, '')}/${parts.join('/')}`;
  }

  async create(table: string, metadata: TableMetadata): Promise<LoadedTable> {
    nameParts(table);
    const { storage, places } = this.#parts;
    const file = this.#fileOf(metadata, 0);
    places.check(table, metadata, file);
    if ((await this.#rows.find(table)) !== null) throw tableExists(table);
    await storage.writeIfAbsent(file, writeMetadata(metadata));
    let made: boolean;
    try {
      made = await this.#rows.insert(identifierOf(table), file);
    } catch (cause) {
      throw unknownOutcome(table, 'the table was made', cause);
    }
    if (made) return { table, metadata, metadataFile: file, refusal: null };
    const there = await this.load(table);
    if (there.metadata.uuid === metadata.uuid) return there;
    await storage.remove(file);
    throw tableExists(table);
  }

  async commit(table: string, { requirements, updates }: TableCommit): Promise<LoadedTable> {
    const { clock, patience, storage } = this.#parts;
    for (let race = 0; race < MOST_RACES; race += 1) {
      const row = await this.#rows.find(table);
      if (row === null) throw await this.#missing(table);
      const base = await this.#read(table, row);
      if (base.refusal !== null) throw refused(table, base.refusal);
      checkRequirements(base.metadata, requirements);
      const metadata = applyUpdates(base.metadata, updates, {
        previousFile: base.metadataFile,
        now: clock.now(),
      });
      const name = base.metadataFile.slice(base.metadataFile.lastIndexOf('/') + 1);
      const file = this.#fileOf(metadata, (versionOf(name) ?? 0) + 1);
      await storage.writeIfAbsent(file, writeMetadata(metadata));
      if (await this.#moved(table, row, file)) {
        this.#seen.set(table, file);
        await removeForgotten(storage, file, forgottenFiles(base.metadata, metadata));
        return { table, metadata, metadataFile: file, refusal: null };
      }
      await storage.remove(file);
      await pause(patience, race, BACKOFF);
    }
    throw neverAtRest(table, MOST_RACES);
  }

  async drop(table: string): Promise<void> {
    const row = await this.#rows.find(table);
    if (row === null) throw await this.#missing(table);
    await this.#rows.delete(row);
    this.#seen.delete(table);
  }

  close(): Promise<void> {
    return this.#rows.database.close();
  }

  /**
   * Moves the pointer. Where the connection was lost and the pointer is elsewhere by now, the log of the newest metadata says what
   * followed the state before.
   */
  async #moved(table: string, row: TableRow, file: string): Promise<boolean> {
    const { storage } = this.#parts;
    let moved: Awaited<ReturnType<CatalogRows['move']>>;
    try {
      moved = await this.#rows.move({ identifier: row, from: row.metadataFile, to: file });
    } catch (cause) {
      await storage.remove(file);
      throw cause;
    }
    if (moved !== 'unknown') return moved === 'moved';
    try {
      const { metadata, metadataFile } = await this.load(table);
      const files = [...metadata.metadataLog.map((entry) => entry.file), metadataFile];
      const before = files.indexOf(row.metadataFile);
      if (before >= 0 && before < files.length - 1) return files[before + 1] === file;
    } catch (cause) {
      throw unknownOutcome(table, 'the commit was made', cause);
    }
    throw unknownOutcome(table, 'the commit was made');
  }

  async #read(table: string, row: TableRow): Promise<LoadedTable> {
    const { places } = this.#parts;
    const file = row.metadataFile;
    const metadata = await this.#metadata.of({ location: file });
    places.check(table, metadata, file);
    this.#seen.set(table, file);
    const refusal: TableRefusal | null = await this.#rivals.of(row);
    return { table, metadata, metadataFile: file, refusal };
  }

  /** A name as Iceberg's own catalogs give it: the number of the version, and what no other writer draws. */
  #fileOf(metadata: TableMetadata, version: number): string {
    const number = String(version).padStart(5, '0');
    return `${writeFolders(metadata).metadata}/${number}-${uuid(this.#parts.random)}.metadata.json`;
  }

  /** Why there is no such table: it never was, it was renamed, or the catalog has another name. */
  async #missing(table: string): Promise<InputError | FailedError | RefusedError> {
    const rows = await this.#rows.tables();
    const seen = this.#seen.get(table);
    const now = seen === undefined ? undefined : rows.find(({ metadataFile }) => metadataFile === seen);
    if (now !== undefined) {
      return new FailedError('catalog/renamed', `${table} was renamed: it is ${tableOf(now)} now`, {
        remedy:
          'Nothing was changed by this step. Put the new name into the governance files, then plan and run again',
        data: { table, now: tableOf(now) },
      });
    }
    if (rows.length === 0) await this.#checkName();
    return noSuchTable(table, rows.map(tableOf));
  }

  /** A catalog of a mistyped name has no tables: a scan of it would find nobody, and look clean. */
  async #checkName(): Promise<void> {
    const { catalog, database } = this.#rows;
    const catalogs = await this.#rows.catalogs();
    if (catalogs.size === 0 || catalogs.has(catalog)) return;
    throw new InputError(
      'catalog/no-name',
      `${database.shown} has no catalog named ${JSON.stringify(catalog)}`,
      {
        remedy: `Name one that it has: ${[...catalogs].sort().join(', ')}`,
        data: { name: catalog, catalogs: [...catalogs].sort() },
      },
    );
  }
}
