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
  /** Where a new table of that name is put unless it says otherwise. */
  defaultLocation(table: string): Promise<string>;
  /** Adds a table. Throws `warehouse/table-exists`; of two writers one wins. */
  create(table: string, metadata: TableMetadata): Promise<LoadedTable>;
  /**
   * Commits on the newest state if the requirements hold there, and gives the state that this made. Between processes too, no
   * commit is ever lost. Throws `catalog/conflict` where a requirement does not hold any more.
   */
  commit(table: string, change: TableCommit): Promise<LoadedTable>;
  /** Forgets a table. Its data files stay. Throws `warehouse/no-such-table`. */
  drop(table: string): Promise<void>;
}

export interface CatalogEntry {
  readonly table: string;
  /** The table's location as far as the catalog knows it without reading metadata. */
  readonly location: string;
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
