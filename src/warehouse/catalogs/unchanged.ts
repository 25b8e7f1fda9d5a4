import type { FileStat, Storage } from '../../storage/storage.ts';
import { readMetadata, type TableMetadata } from '../iceberg/metadata/metadata.ts';
import { Recent } from '../recent.ts';

/** Metadata files that are kept in memory. */
const MOST_METADATA_BYTES = 16 * 1024 * 1024;

/** What {@link Unchanged} keeps in memory, and how it comes by it. */
export interface UnchangedOptions<T> {
  readonly storage: Storage;
  /** How large the remembered files may be together. */
  readonly mostBytes: number;
  /** What a file's bytes say. */
  readonly read: (location: string, bytes: Uint8Array) => T;
}

/**
 * What the files used last say, for as long as they are what they were: by the version that the storage gives, else by their bytes. A
 * name is not enough: a table that was dropped and made again counts its versions from one, and an engine may rename one over another.
 */
export class Unchanged<T> {
  readonly #storage: Storage;
  readonly #read: (location: string, bytes: Uint8Array) => T;
  readonly #known: Recent<{
    readonly version: string | undefined;
    readonly bytes: Buffer;
    readonly value: T;
  }>;

  constructor({ storage, mostBytes, read }: UnchangedOptions<T>) {
    this.#storage = storage;
    this.#read = read;
    this.#known = new Recent(mostBytes);
  }

  /** What a file says: the same object while it says the same. */
  async of({ location, version }: Pick<FileStat, 'location' | 'version'>): Promise<T> {
    const known = this.#known.get(location);
    if (version !== undefined && known?.version === version) return known.value;
    const { buffer, byteOffset, length } = await this.#storage.read(location);
    const bytes = Buffer.from(buffer, byteOffset, length);
    const value = known?.bytes.equals(bytes) ? known.value : this.#read(location, bytes);
    this.#known.keep(location, { version, bytes, value }, length);
    return value;
  }
}

/** The metadata of tables, typed: a job loads each of them many times between two commits. */
export function unchangedMetadata(storage: Storage): Unchanged<TableMetadata> {
  return new Unchanged({ storage, mostBytes: MOST_METADATA_BYTES, read: readMetadata });
}
