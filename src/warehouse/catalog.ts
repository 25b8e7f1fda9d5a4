import type { TableMetadata } from './iceberg/metadata/metadata.ts';
import type { Requirement, Update } from './iceberg/metadata/updates.ts';
import type { TableRefusal } from './warehouse.ts';

/**
 * The port to what knows which tables there are and which metadata is a table's newest (design section 12). Requirements and
 * updates are plain data in the words of Iceberg's REST specification. Every implementation runs the contract suite
 * `test/contracts/catalog.ts`.
 */
export interface Catalog {
  /** The folder in which it keeps its tables, where it has one. */
  readonly root?: string;
  /** All tables, sorted by name. */
  list(): Promise<readonly CatalogEntry[]>;
  /** The newest state of a table. Throws `warehouse/no-such-table`. */
  load(table: string): Promise<LoadedTable>;
  /**
   * A metadata file beside the one of a table's newest state that says it is newer: what only it names is no stray, and must stay. Null
   * where there is none, left out where a pointer alone says which is the newest.
   */
  hidden?(table: string): Promise<string | null>;
  /** Where a new table of that name is put unless it says otherwise; null where the catalog says so only when it makes the table. */
  defaultLocation(table: string): Promise<string | null>;
  /**
   * Adds a table, and gives it as it is then: a catalog behind a service chooses the uuid itself, and the location where the
   * metadata has none (`''`). Throws `warehouse/table-exists`; of two writers one wins.
   */
  create(table: string, metadata: TableMetadata): Promise<LoadedTable>;
  /**
   * Commits on the newest state if the requirements hold there, and gives the state that this made. Between processes too, no
   * commit is ever lost. Throws `catalog/conflict` where a requirement does not hold any more, and `warehouse/unknown-outcome`
   * where the catalog cannot be made to say whether the commit was made: then no file of it may go.
   */
  commit(table: string, change: TableCommit): Promise<LoadedTable>;
  /** Forgets a table. Its data files stay. Throws `warehouse/no-such-table`. */
  drop(table: string): Promise<void>;
  /** Ends its connection, where it has one. */
  close?(): Promise<void>;
}

export interface CatalogEntry {
  readonly table: string;
  /** The table's location, in the storage's normal form; null where the catalog knows it only once the table is loaded. */
  readonly location: string | null;
}

/** One state of a table: the metadata, the file it is in, and why this catalog may not change it, if so. */
export interface LoadedTable {
  readonly table: string;
  readonly metadata: TableMetadata;
  readonly metadataFile: string;
  readonly refusal: TableRefusal | null;
}

export interface TableCommit {
  readonly requirements: readonly Requirement[];
  readonly updates: readonly Update[];
}
