import type { RecordBatch } from 'apache-arrow';
import type { Predicate } from '../predicate/predicate.ts';
import type { DataFile } from './data-file.ts';
import type { PartitionSpec } from './partition-spec.ts';
import type { Schema } from './schema.ts';
import type { Rows, RowWork, Tuple } from './warehouse.ts';

/**
 * The port to what rewrites rows (design section 12). It is handed the files to work on, already pruned by the format, and
 * never reads or writes metadata. Row order inside a file is kept. Every read applies the delete files that come with a
 * data file; a rewrite applies them too, so that no deleted row comes back. Every implementation runs the contract
 * suite `test/contracts/data-plane.ts`.
 */
export interface DataPlane {
  readonly capabilities: DataPlaneCapabilities;
  /**
   * Writes rows as new data files at locations taken from `target`; none for no rows. A file holds rows of one partition of the
   * table's default spec.
   */
  write(table: PlaneTable, rows: Rows, target: WriteTarget): Promise<readonly DataFile[]>;
  /** Rewrites those of `files` that hold a row to delete or clear. Files that hold none stay as they are. */
  change(
    table: PlaneTable,
    files: readonly PlaneFile[],
    work: RowWork,
    target: WriteTarget,
  ): Promise<PlaneChange>;
  /** Rows of `files` for which `where` is true. */
  count(table: PlaneTable, files: readonly PlaneFile[], where?: Predicate): Promise<number>;
  distinct(
    table: PlaneTable,
    files: readonly PlaneFile[],
    columns: readonly string[],
    where?: Predicate,
    mayHold?: readonly string[],
  ): AsyncIterable<Tuple>;
  /** Looks into delete files of a table, so that those can go which hold what must go, or which nobody needs. */
  inspectDeletes(
    table: PlaneTable,
    deletes: readonly DataFile[],
    where: Predicate,
  ): Promise<readonly InspectedDelete[]>;
  read(table: PlaneTable, files: readonly PlaneFile[], options: PlaneRead): AsyncIterable<RecordBatch>;
  close(): Promise<void>;
}

export interface DataPlaneCapabilities {
  /** Primitive Iceberg types that it writes exactly as they were, by name without parameters: `long`, `decimal`. */
  readonly types: readonly string[];
  /** File formats of data files it can read and write. */
  readonly formats: readonly string[];
  /** Whether it applies `position-deletes`, `equality-deletes`, `deletion-vectors`. */
  readonly deletes: readonly string[];
}

/** What a delete file holds. */
export interface InspectedDelete {
  readonly file: DataFile;
  /** Locations, in the storage's normal form, of the data files that a position delete file names; empty for others. */
  readonly names: ReadonlySet<string>;
  /**
   * Whether it holds values of a row for which `where` may be true. A column that it does not hold may have any value, so only a
   * row for which the others make it false is none. Positions alone are no values.
   */
  readonly mayHold: boolean;
}

/** What a data plane must know of a table. */
export interface PlaneTable {
  readonly table: string;
  readonly schema: Schema;
  readonly properties: Readonly<Record<string, string>>;
  /** Field ids that a partition spec or a sort order reads: these columns are never cleared. */
  readonly structuralFieldIds: readonly number[];
  /** Field ids that the default sort order reads: their metrics are decided as Iceberg does for sort columns. None if left out. */
  readonly sortFieldIds?: readonly number[];
  /** The table's other schemas, newest first: an equality delete can name a column that was dropped since. */
  readonly olderSchemas?: readonly Schema[];
  /** The spec by which new rows are put into files; spec 0, without fields, if left out. */
  readonly partitioning?: PartitionSpec;
  /** By spec, for each of its fields: the field id of the column whose very value it is; null for other transforms. */
  readonly identities?: ReadonlyMap<number, readonly (number | null)[]>;
}

/** A data file with the delete files that apply to it. */
export interface PlaneFile {
  readonly file: DataFile;
  readonly deletes: readonly DataFile[];
  /** The data sequence number: of rows that say nothing else, the commit that changed them last (version 3, row lineage). */
  readonly sequenceNumber?: bigint;
  /** In a change: written again even if it holds no row to delete or clear, so that its delete files can go. */
  readonly compact?: boolean;
}

/** Hands out locations for new files; each is recorded before it is written, so that a lost attempt can be removed. */
export interface WriteTarget {
  next(extension: string): string;
}

export interface PlaneRead {
  /** Full names; all top-level columns if left out. */
  readonly columns?: readonly string[];
  readonly where?: Predicate;
  /** As `ReadOptions` of the warehouse says. */
  readonly mayHold?: readonly string[];
}

/** `removed` are locations out of `files`; each of `added` carries the partition of the file it replaces. */
export interface PlaneChange {
  readonly added: readonly DataFile[];
  readonly removed: readonly string[];
  readonly rowsDeleted: number;
  readonly rowsCleared: number;
}
