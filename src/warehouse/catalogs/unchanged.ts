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

interface Known<T> {
  readonly location: string;
  readonly version: string | undefined;
  readonly bytes: Buffer;
  readonly value: T;
}

/**
 * What the file used last in each folder says, for as long as it is what it was: by the version that the storage gives, else by its
 * bytes. A name is not enough: a table that was dropped and made again counts its versions from one, and an engine may rename one over
 * another.
 */
export class Unchanged<T> {
  readonly #storage: Storage;
  readonly #read: (location: string, bytes: Uint8Array) => T;
  /** By folder: nobody asks for the version before the newest again. */
  readonly #known: Recent<Known<T>>;

  constructor({ storage, mostBytes, read }: UnchangedOptions<T>) {
    this.#storage = storage;
    this.#read = read;
    this.#known = new Recent(mostBytes);
  }

  /** What a file says: the same object while it says the same. */
  async of({ location, version }: Pick<FileStat, 'location' | 'version'>): Promise<T> {
    const folder = location.slice(0, location.lastIndexOf('/'));
    const known = this.#known.get(folder);
    if (version !== undefined && known?.version === version && known.location === location)
      return known.value;
    const bytes = bufferOf(await this.#storage.read(location));
    const value = known?.bytes.equals(bytes) ? known.value : this.#read(location, bytes);
    this.#known.keep(folder, { location, version, bytes, value }, bytes.length);
    return value;
  }

  /** What a file says that was just written: it need not be read to be known, only to be found unchanged. */
  wrote(location: string, bytes: Uint8Array, value: T): void {
    const folder = location.slice(0, location.lastIndexOf('/'));
    this.#known.keep(folder, { location, version: undefined, bytes: bufferOf(bytes), value }, bytes.length);
  }
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** The metadata of tables, typed: a job loads each of them many times between two commits. */
export function unchangedMetadata(storage: Storage): Unchanged<TableMetadata> {
  return new Unchanged({ storage, mostBytes: MOST_METADATA_BYTES, read: readMetadata });
}
