import type { Instant } from '../values/time.ts';

/**
 * The port to files, wherever they are. A location is a URI or an absolute path as metadata writes it; an implementation
 * knows one normal form for it ({@link Storage.normalize}) and compares by that form only.
 */
export interface Storage {
  readonly capabilities: StorageCapabilities;
  /** The one form in which two spellings of a location are equal (`s3a://b/k` and `s3://b/k`, `file:/x` and `/x`). */
  normalize(location: string): string;
  /** Length in bytes and time of the last change. Throws `storage/not-found`. */
  stat(location: string): Promise<FileStat>;
  /** The whole file, or `length` bytes from `offset`. Throws `storage/not-found`. */
  read(location: string, range?: ByteRange): Promise<Uint8Array>;
  /** Writes a file that must not exist yet, whole or not at all. Throws `storage/exists`. */
  writeIfAbsent(location: string, bytes: Uint8Array): Promise<void>;
  /** Replaces a file whole or not at all; for hints that may be stale, never for metadata. */
  replace(location: string, bytes: Uint8Array): Promise<void>;
  /** Every file under a prefix, at any depth, names beginning with `_` or `.` too, in name order. */
  list(prefix: string): AsyncIterable<FileStat>;
  /**
   * What {@link list} passes over, and whose name is there all the same: empty folders, links to folders or to nothing, pipes. Left
   * out where a storage holds files only.
   */
  namesOnly?(prefix: string): AsyncIterable<NameOnly>;
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
}

export interface StorageCapabilities {
  /** Old versions of overwritten and removed files can exist (versioned buckets). */
  readonly versions: boolean;
}

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** A name behind which no file lies. `link` leads to a folder, which is not followed, or to nothing. */
export interface NameOnly {
  readonly location: string;
  readonly kind: 'empty-folder' | 'link' | 'special';
}

export interface FileStat {
  readonly location: string;
  readonly size: number;
  readonly modified: Instant;
}
