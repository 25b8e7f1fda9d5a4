import type { RecordBatch, Table } from 'apache-arrow';
import type { ClearColumn } from '../governance/governance.ts';
import type { Predicate } from '../predicate/predicate.ts';
import type { Storage } from '../storage/storage.ts';
import type { Literal } from '../values/literal.ts';
import type { Private } from '../values/private.ts';
import type { Instant } from '../values/time.ts';

/**
 * The tables of a lakehouse as the erasure job sees them: catalog, format, data plane and storage together, whatever they
 * are (design section 12). Opened by `openIceberg`. Tables are named `namespace.table`.
 *
 * Every method that names a table throws `warehouse/no-such-table` where the catalog has none of that name.
 */
export interface Warehouse {
  readonly storage: Storage;
  /**
   * The folder in which the catalog keeps its tables, where it has one. A scan looks there for files that no table claims;
   * without it, in the folders above the tables' own.
   */
  readonly root?: string;
  /** Names of all tables, sorted. */
  list(): Promise<readonly string[]>;
  describe(table: string): Promise<TableDescription>;
  /** Rows for which `where` is true (all rows without it). */
  count(table: string, where?: Predicate, at?: ReadAt): Promise<number>;
  /**
   * The distinct tuples of `columns` where `where` is true, streamed; a null is null. With `past`, also those of rows that are
   * deleted or were changed, as far as any snapshot still names a file that holds them. `mayHold` is as in {@link ReadOptions}.
   */
  distinct(
    table: string,
    columns: readonly string[],
    where?: Predicate,
    options?: { readonly past?: boolean; readonly mayHold?: readonly string[] },
  ): AsyncIterable<Tuple>;
  /** The rows as Arrow batches. */
  read(table: string, options?: ReadOptions): AsyncIterable<RecordBatch>;
  /** Deletes rows and clears columns in one commit, on the newest state; none where nothing matches. */
  change(table: string, work: RowWork, note: CommitNote): Promise<Changed>;
  /** Rewrites the manifests without deleted entries and unwanted bounds, and drops statistics files (design section 12). */
  scrub(table: string, note: CommitNote): Promise<Scrubbed>;
  /** Removes snapshots, and with `files: 'delete'` the files that only they held. */
  expire(table: string, options: ExpireOptions): Promise<Expired>;
  /** The smallest and largest values that the manifests of the current snapshot keep of each column, file by file. */
  bounds(table: string): Promise<readonly ColumnBounds[]>;
  /** Every file that the metadata names: those of all snapshots, and its own as far as its log goes. In the storage's normal form. */
  referenced(table: string): Promise<ReadonlySet<string>>;
  /** Files under the table's location that no metadata names. */
  unreferenced(table: string): Promise<readonly FileEntry[]>;
  /** Removes unreferenced files older than `minAgeMs` at the clock's now. */
  sweep(table: string, options: SweepOptions): Promise<Swept>;
  /**
   * Why its files could not be written or removed: places that the storage does not take or that lead out of the warehouse (rule E2),
   * and in a bucket that keeps old versions locks, holds and rights that are missing (rule E5). Empty where nothing stands in the way.
   */
  storageRefusals(table: string): Promise<readonly TableRefusal[]>;
  /**
   * Removes what removed and replaced files leave in a versioned bucket (rule E5), for good: old versions, delete markers and
   * unfinished uploads, under the table's folders and of `files`. Null where the storage never keeps any.
   */
  purgeVersions(table: string, options: PurgeOptions): Promise<PurgedVersions | null>;
  /** Drops a branch or a tag; the snapshots that it kept go with the next expiry. Nothing where there is none of that name. */
  dropRef(table: string, ref: string): Promise<void>;
  setProperties(table: string, set: Readonly<Record<string, string>>, note: CommitNote): Promise<void>;

  /** Makes an empty table. Throws `warehouse/table-exists`. */
  create(table: string, definition: TableDefinition): Promise<void>;
  append(table: string, rows: Rows, note?: CommitNote): Promise<Changed>;
  /** Replaces the rows for which `where` is true, all without it, in one commit. */
  overwrite(
    table: string,
    rows: Rows,
    options?: { readonly where?: Predicate; readonly note?: CommitNote },
  ): Promise<Changed>;
  /** Takes the table out of the catalog; with `purge` its files too. */
  drop(table: string, options: { readonly purge: boolean }): Promise<void>;
  /** Frees the data plane's resources and private folders. */
  close(): Promise<void>;
}

export type Rows = Table | Iterable<RecordBatch> | AsyncIterable<RecordBatch>;
export type Tuple = readonly (Literal | null)[];

export interface ReadAt {
  /** Time travel: the rows as this snapshot had them. */
  readonly snapshotId?: bigint;
}

export interface ReadOptions extends ReadAt {
  readonly columns?: readonly string[];
  readonly where?: Predicate;
  /**
   * Folded texts (rule S1): rows in none of whose text columns one of them can stand may be left out, which spares reading most of
   * a large table. Rows that are given need not hold one.
   */
  readonly mayHold?: readonly string[];
}

/** What a commit records in its snapshot's summary: request and rule names, never a value of a person (rule E3). */
export type CommitNote = Readonly<Record<string, string>>;

/** What is done to the rows of one table, all in one commit. Rows are told apart by three-valued predicates. */
export interface RowWork {
  /** Rows for which this is true are removed; false and unknown stay. */
  readonly delete?: Predicate;
  /** In rows for which `where` is true the columns are cleared. */
  readonly clear?: { readonly where: Predicate; readonly columns: readonly ClearColumn[] };
  /** Rewrite the files that hold such rows even where delete files already hide them (hazard 37). Always on in an erasure. */
  readonly physically?: boolean;
}

export interface Changed {
  readonly snapshotBefore: bigint | null;
  /** Equal to `snapshotBefore` where nothing matched and nothing was committed. */
  readonly snapshotAfter: bigint | null;
  readonly rowsDeleted: number;
  /** Rows in which a column was cleared. */
  readonly rowsCleared: number;
  readonly rowsAdded: number;
  readonly filesAdded: number;
  readonly filesRemoved: number;
}

/** What a manifest keeps of one column of one data file. They are values of people's rows, cut where the mode cuts them. */
export interface ColumnBounds {
  /** The column's full name. */
  readonly column: string;
  readonly file: string;
  /** False in the entry of a deleted file. */
  readonly live: boolean;
  /** In the text form of a literal; null where only the other is kept. */
  readonly values: Private<{ readonly lower: string | null; readonly upper: string | null }>;
}

export interface Scrubbed {
  readonly snapshotBefore: bigint | null;
  readonly snapshotAfter: bigint | null;
  readonly manifestsRewritten: number;
  readonly entriesDropped: number;
  readonly boundsDropped: number;
  readonly statisticsFilesDropped: number;
}

export interface ExpireOptions {
  /** Snapshots committed before this instant go, except what refs and `minToKeep` keep. */
  readonly olderThan: Instant;
  /** Snapshots to keep however old; the table's own `history.expire.min-snapshots-to-keep` if left out. */
  readonly minToKeep?: number;
  /** `delete` removes at once the files that only the expired snapshots held; `leave` leaves them unreferenced. */
  readonly files: 'delete' | 'leave';
}

export interface Expired {
  readonly snapshots: readonly bigint[];
  readonly filesDeleted: readonly string[];
}

export interface FileEntry {
  readonly location: string;
  readonly size: number;
  readonly modified: Instant;
}

export interface SweepOptions {
  readonly minAgeMs: number;
  /** Files that the table's metadata named once, by {@link Warehouse.referenced}: no commit is about to name them, so they go at any age. */
  readonly named?: ReadonlySet<string>;
}

export interface Swept {
  readonly deleted: readonly string[];
  /** Unreferenced files that are too young, with the instant from which they can go. */
  readonly young: readonly { readonly location: string; readonly sweepableFrom: Instant }[];
}

export interface PurgeOptions {
  /** Unfinished uploads of at least this age go; a younger one may be at work. */
  readonly minAgeMs: number;
  /** Files of the table that lay outside its folders. */
  readonly files?: readonly string[];
}

/** What {@link Warehouse.purgeVersions} removed, and what is left. */
export interface PurgedVersions {
  readonly noncurrent: number;
  readonly deleteMarkers: number;
  readonly uploads: number;
  /** Still there afterwards, by a listing; young uploads aside. */
  readonly left: number;
  /** What the storage said of those that it would not remove, each once: `AccessDenied`. */
  readonly why: readonly string[];
  /** Unfinished uploads that are too young, with the instant from which they can go. */
  readonly young: Swept['young'];
}

export interface TableDefinition {
  readonly columns: readonly ColumnDefinition[];
  readonly properties?: Readonly<Record<string, string>>;
  /** How rows are put into files: none if left out. */
  readonly partition?: readonly PartitionDefinition[];
  /** Of Iceberg's specification; 2 if left out. */
  readonly formatVersion?: 2 | 3;
  /** Default: a folder of the table's name under the catalog's warehouse. */
  readonly location?: string;
}

/** A partition field to make: `transform` as metadata writes it (`identity`, `bucket[16]`, `truncate[4]`, `month`). */
export interface PartitionDefinition {
  readonly column: string;
  readonly transform: string;
  /** Iceberg's own choice if left out: `day_bucket`, `day_trunc`, `day_month`, the column's name for identity. */
  readonly name?: string;
}

/** A column to make: `type` is an Iceberg type as metadata writes it (`long`, `decimal(9, 2)`, `timestamptz`). */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly required?: boolean;
  readonly doc?: string;
}

export interface TableDescription {
  readonly table: string;
  readonly location: string;
  /** Where it writes: its location, and what its settings put elsewhere. */
  readonly folders: readonly string[];
  readonly format: 'iceberg' | 'delta';
  readonly formatVersion: number;
  /** All columns, nested ones too, in schema order, by full name. */
  readonly columns: readonly Column[];
  /** Columns that a current or old partition spec reads, by full name. */
  readonly partitionColumns: readonly string[];
  readonly sortColumns: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  readonly snapshots: readonly Snapshot[];
  readonly currentSnapshotId: bigint | null;
  readonly refs: readonly Ref[];
  /** Of the current snapshot, counted from the manifests. */
  readonly rows: number;
  readonly dataFiles: number;
  readonly deleteFiles: number;
  /** Why an erasure could not change this table, by its format and settings; empty where it can. */
  readonly refusals: readonly TableRefusal[];
}

export interface TableRefusal {
  /** `gc-disabled`, `keeps-snapshots`, `branch-or-tag`, `equality-deletes`, `unsupported-type`, `foreign-catalog` … */
  readonly code: string;
  readonly reason: string;
  readonly remedy: string;
  /** The branch or tag that a decision can drop. */
  readonly ref?: string;
}

export interface Column {
  readonly name: string;
  /** The names from the top-level column down. */
  readonly path: readonly string[];
  readonly id: number;
  /** The Iceberg type of a primitive; `struct`, `list` or `map` otherwise. */
  readonly type: string;
  readonly required: boolean;
}

export interface Snapshot {
  readonly id: bigint;
  readonly parentId: bigint | null;
  readonly timestamp: Instant;
  readonly operation: string;
  readonly summary: Readonly<Record<string, string>>;
}

export interface Ref {
  readonly name: string;
  readonly type: 'branch' | 'tag';
  readonly snapshotId: bigint;
}
