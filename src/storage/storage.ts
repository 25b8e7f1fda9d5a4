import type { Instant } from '../values/time.ts';

/**
 * The port to files, wherever they are. A location is a URI or an absolute path as metadata writes it; an implementation
 * knows one normal form for it ({@link Storage.normalize}) and compares by that form only.
 */
export interface Storage {
  /** The one form in which two spellings of a location are equal (`s3a://b/k` and `s3://b/k`, `file:/x` and `/x`). */
  normalize(location: string): string;
  /** Length in bytes and time of the last change. Throws `storage/not-found`. */
  stat(location: string): Promise<FileStat>;
  /** The same, null where no file is there: for names of which most are not, such as those of a table's next version. */
  statIfThere(location: string): Promise<FileStat | null>;
  /** The whole file, or `length` bytes from `offset`. Throws `storage/not-found`. */
  read(location: string, range?: ByteRange): Promise<Uint8Array>;
  /** Writes a file that must not exist yet, whole or not at all. Throws `storage/exists`. */
  writeIfAbsent(location: string, bytes: Uint8Array, onDisk?: OnDisk): Promise<void>;
  /** Replaces a file whole or not at all; for hints that may be stale, never for metadata. */
  replace(location: string, bytes: Uint8Array, onDisk?: OnDisk): Promise<void>;
  /**
   * Replaces a file if it still is what {@link FileStat.version} says. Throws `storage/changed`. Left out where a storage cannot
   * compare and write in one step.
   */
  replaceIf?(location: string, version: string, bytes: Uint8Array): Promise<void>;
  /** Every file under a prefix, at any depth, names beginning with `_` or `.` too, in name order. */
  list(prefix: string): AsyncIterable<FileStat>;
  /**
   * Every file whose location begins so, which need not end at a folder: one question instead of one for each name. Null, or left out,
   * where asking for single names is cheaper.
   */
  listBeginning?(start: string): AsyncIterable<FileStat> | null;
  /**
   * The folders under a prefix, at any depth and in no order, in which the name of a file passes `test`. Null, or left out, where
   * {@link list} costs no more than that.
   */
  foldersWith?(prefix: string, test: (name: string) => boolean): AsyncIterable<string> | null;
  /**
   * What {@link list} passes over, and whose name is there all the same: empty folders, links to folders or to nothing, pipes, names
   * that are no text. Left out where a storage holds files only.
   */
  namesOnly?(prefix: string): AsyncIterable<NameOnly>;
  /**
   * A folder as it is called where no link is on the way to it; what is not there, under its nearest folder that is. Left out where a
   * storage has no links.
   */
  realFolder?(folder: string): Promise<string>;
  /**
   * Removes empty folders under a prefix that are named for a value (`column=value`), with those above them that become empty by
   * it: the last file of a partition is gone, and its folder still says whose it was. Left out as {@link namesOnly} is.
   */
  removeEmptyPartitions?(prefix: string): Promise<readonly string[]>;
  /** Removes one file. Returns false where there was none. */
  remove(location: string): Promise<boolean>;
  /**
   * A path on this machine that holds the file's bytes for as long as `use` runs, for readers that take paths only.
   * Local files give their own path; remote ones a private temporary copy that is removed afterwards.
   */
  withLocalFile<T>(location: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Moves a finished local file to `location`, which must not exist yet. */
  publish(localPath: string, location: string): Promise<void>;
  /** Whether {@link withLocalFile} makes a copy there, for which space is needed while it runs. */
  copies(location: string): boolean;
  /** False where {@link versions} is null everywhere, so that nobody need ask where a table's files lie. */
  readonly keepsVersions?: boolean;
  /** What removing and replacing files leaves behind there; null where it leaves nothing. */
  versions(location: string): FileVersions | null;
  /** Frees temporary copies and connections; a later use opens them again. */
  close?(): Promise<void>;
}

/**
 * What of a file outlasts a loss of power once it is written: all of it if left out; its `content`, and its name with the next one in
 * the same folder; or perhaps `nothing`, where nobody needs what it says. Storages that keep a file as a whole keep it in any case.
 */
export type OnDisk = 'all' | 'content' | 'nothing';

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
  /** Memory that may be used for the bytes in place of new one, if it is long enough: a long file is then read through one piece of it. */
  readonly into?: Uint8Array;
}

/**
 * A name behind which no file lies. `link` leads to a folder, which is not followed, or to nothing. `no-text` has bytes that are no text,
 * so nobody can ask for what lies behind it, a file or a folder with all that is in it.
 */
export interface NameOnly {
  readonly location: string;
  readonly kind: 'empty-folder' | 'link' | 'special' | 'no-text';
}

export interface FileStat {
  readonly location: string;
  readonly size: number;
  readonly modified: Instant;
  /** Another one for each content that the file had, where the storage tells them apart. */
  readonly version?: string;
}

/**
 * Old versions of files, the marks that removed ones leave, and uploads that were never finished (rule E5): what a listing does not
 * show, and what holds the bytes of every file that was removed.
 */
export interface FileVersions {
  /**
   * All of them under a prefix, file by file in name order, of each file the latest marker first; unfinished uploads come last.
   * Nothing where the storage never kept versions there.
   *
   * @throws RefusedError `storage/versions-denied` where it may keep some and will not list them
   */
  list(prefix: string): AsyncIterable<FileVersion>;
  /** A path to the bytes of an old version, as {@link Storage.withLocalFile} gives one to a file's. Throws `storage/not-found`. */
  withLocalFile<T>(version: NoncurrentVersion, use: (path: string) => Promise<T>): Promise<T>;
  /** Removes them for good, any number, in as few requests as the storage takes. Returns those that are still there. */
  remove(versions: readonly FileVersion[]): Promise<readonly KeptVersion[]>;
  /**
   * What keeps the versions under a prefix, the current ones too, from being removed at an instant; null where nothing does.
   *
   * @throws RefusedError `storage/versions-denied`, `storage/locks-denied` where it cannot be told
   */
  locks(prefix: string, now: Instant): Promise<VersionLocks | null>;
}

/** What lies behind a listing. `location` is the file's, as it was written. */
export type FileVersion = NoncurrentVersion | DeleteMarker | UnfinishedUpload;

/** The bytes that a file had before it was replaced or removed. */
export interface NoncurrentVersion {
  readonly kind: 'noncurrent';
  readonly location: string;
  readonly id: string;
  readonly size: number;
  readonly modified: Instant;
}

/** What a removed file leaves: no bytes, but a name. While it is the `latest`, removing it brings the version before it back. */
export interface DeleteMarker {
  readonly kind: 'delete-marker';
  readonly location: string;
  readonly id: string;
  readonly modified: Instant;
  readonly latest: boolean;
}

/** Parts of a file that was never finished. No reader gets at them, and they are kept. */
export interface UnfinishedUpload {
  readonly kind: 'upload';
  readonly location: string;
  readonly id: string;
  readonly modified: Instant;
}

/** A version that was to be removed and is still there; `why` is what the storage said, a name such as `AccessDenied`. */
export interface KeptVersion {
  readonly version: FileVersion;
  readonly why: string;
}

/** What keeps versions from being removed. */
export interface VersionLocks {
  /** Versions whose retention has not ended. */
  readonly retained: number;
  /** When the last of them ends; null where there is none. */
  readonly until: Instant | null;
  /** Versions under a legal hold, which ends when somebody lifts it. */
  readonly held: number;
  /** A second factor is asked for with each removal. */
  readonly secondFactor: boolean;
}
