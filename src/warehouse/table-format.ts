import type { Predicate } from '../predicate/predicate.ts';
import type { LoadedTable, TableCommit } from './catalog.ts';
import type { DataFile } from './data-file.ts';
import type { DataPlaneCapabilities, PlaneFile, PlaneTable, WriteTarget } from './data-plane.ts';
import type { TableMetadata } from './iceberg/metadata/metadata.ts';
import type {
  ColumnBounds,
  CommitNote,
  ExpireOptions,
  Scrubbed,
  TableDefinition,
  TableDescription,
} from './warehouse.ts';

/**
 * The port to a table format: which operations a change takes, on which files, and what is to be committed (design section 12).
 * It reads and writes metadata, never rows, and never commits. Every implementation runs the contract suite
 * `test/contracts/table-format.ts`.
 */
export interface TableFormat {
  /** One state of a table. Its metadata files are read at most once; those that `earlier` has read are not read again. */
  open(loaded: LoadedTable, earlier?: TableState): TableState;
  /** The metadata of a new, empty table. Throws `warehouse/columns`. */
  create(table: string, definition: TableDefinition, location: string): TableMetadata;
  /** Begins a try to change a table; its record is on disk when this returns. */
  begin(state: TableState, removing?: readonly string[]): Promise<FormatAttempt>;
  /** Tells the files of tries that are still at work on this machine: no sweep takes them, whatever its minimum age. */
  inProgress(state: TableState): Promise<(file: string) => boolean>;
  /** Removes what attempts of killed processes left, and says what. */
  clearDeadAttempts(state: TableState, search: DeadAttempts): Promise<readonly string[]>;
}

/** What is asked while the files of killed processes are cleared. */
export interface DeadAttempts {
  /** The newest state: asked for once the attempts are known to be dead, so that what they committed last is in it. */
  reload(): Promise<TableState>;
  /** Those of `files` that no other table claims. */
  unclaimed(files: ReadonlySet<string>): Promise<ReadonlySet<string>>;
}

/** One state of a table as its format reads it. */
export interface TableState {
  readonly loaded: LoadedTable;
  describe(plane: DataPlaneCapabilities): Promise<TableDescription>;
  /** What a data plane must know, by the schema of the snapshot. */
  planeTable(snapshotId?: bigint): PlaneTable;
  /** The data files that can hold a row for which `where` is true, each with its deletes. */
  files(selection: FileSelection): Promise<readonly SelectedFile[]>;
  /** The live delete files of the current snapshot, those that apply to no data file too. */
  deleteFiles(): Promise<readonly DataFile[]>;
  /** @throws RefusedError where the format or its settings do not allow the work at all; nothing has changed then. */
  assertAllowed(work: TableWork): void;
  /**
   * Asked before data files are written again, with the delete files that are read for that.
   *
   * @throws RefusedError where the data plane would not keep them as they are
   */
  assertRewritable(files: readonly DataFile[], plane: DataPlaneCapabilities): void;
  stageExpiry(options: ExpireOptions): Promise<StagedExpiry>;
  /**
   * Null where the table has no such branch or tag.
   *
   * @throws RefusedError `iceberg/main` for the branch that the table itself stands on
   */
  stageDropRef(ref: string): TableCommit | null;
  /** What the manifests of the current snapshot keep of the values in each column. */
  bounds(): Promise<readonly ColumnBounds[]>;
  /** Where its files are written: its location, and where properties move data and metadata to. */
  folders(): readonly string[];
  /** Every file that this state names, in the storage's normal form. */
  referenced(): Promise<ReadonlySet<string>>;
}

/** What is about to be done to a table. */
export type TableWork = 'append' | 'overwrite' | 'change' | 'scrub' | 'expire' | 'drop-ref' | 'properties';

export interface FileSelection {
  readonly where?: Predicate;
  readonly snapshotId?: bigint;
}

/** A data file; `whole` where its partition proves that `where` is true for every row of it. */
export interface SelectedFile extends PlaneFile {
  readonly whole: boolean;
}

/** A try to change a table. Ends with `won`, `left` or `lost`. */
export interface FormatAttempt extends WriteTarget {
  stageRows(state: TableState, change: RowChange): Promise<StagedSnapshot>;
  /** Null where there is nothing to scrub. */
  stageScrub(state: TableState, note: CommitNote): Promise<StagedScrub | null>;
  /** Writes down, before the commit, which files go once it is made, so that they go even if this process is killed. */
  removing(files: readonly string[]): Promise<void>;
  /** A commit lost its race: what was written for it goes, except `keep`. The try goes on. */
  again(keep: readonly string[]): Promise<void>;
  won(): Promise<void>;
  /** Ends a try that was committed while files are still to be removed: the next run does it. */
  left(): void;
  /** Removes every file that was handed out. */
  lost(): Promise<void>;
}

/** Files that come and go in one commit. `removed` has the {@link fileKey} of data and of delete files. */
export interface RowChange {
  readonly added: readonly DataFile[];
  readonly removed: ReadonlySet<string>;
  readonly note: CommitNote;
}

/** A commit whose files are written and which nothing names yet. */
export interface StagedSnapshot extends TableCommit {
  readonly snapshotId: bigint;
}

export interface StagedScrub extends TableCommit {
  /** Null where only statistics files are dropped, and no snapshot is made. */
  readonly snapshotId: bigint | null;
  readonly counts: Omit<Scrubbed, 'snapshotBefore' | 'snapshotAfter'>;
  /** Files that no state names after the commit, to be removed then. */
  readonly dropped: readonly string[];
}

export interface StagedExpiry extends TableCommit {
  readonly snapshots: readonly bigint[];
  /** Files that only the expired snapshots held. */
  readonly onlyExpired: readonly string[];
}
