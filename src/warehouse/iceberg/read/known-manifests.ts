import type { Storage } from '../../../storage/storage.ts';
import { Recent } from '../../recent.ts';
import type { FileEntry } from '../manifest/manifest.ts';
import type { ManifestEntry } from '../manifest/manifest-list.ts';

/** Bytes of files, of which one takes about ten when it is decoded. A larger file is read by every state that needs it. */
const MOST_BYTES = 2 * 1024 * 1024;

/** What the manifests and the manifest lists say that were read last, of all tables: a job looks at each table in each of its stages. */
export class KnownManifests {
  readonly lists: KnownFiles<readonly ManifestEntry[]>;
  readonly entries: KnownFiles<readonly FileEntry[]>;

  constructor(storage: Storage) {
    this.lists = new KnownFiles(storage);
    this.entries = new KnownFiles(storage);
  }
}

/**
 * Files that never change under their names, decoded. What is known of one is used while the file is there in its whole length, so that
 * one that was cut or removed is named as it would be without this. The scan (rule E7) reads bytes itself, whatever is known here.
 */
export class KnownFiles<T> {
  readonly #storage: Storage;
  readonly #known = new Recent<{ readonly value: T; readonly length: number }>(MOST_BYTES);

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** What is known by a name of the file at a location, else what is read of its bytes now. */
  async of(name: string, location: string, read: (bytes: Uint8Array) => T): Promise<T> {
    const known = this.#known.get(name);
    if (known !== undefined) {
      const file = await this.#storage.statIfThere(location);
      if (file?.size === known.length) return known.value;
    }
    const bytes = await this.#storage.read(location);
    const value = read(bytes);
    this.#known.keep(name, { value, length: bytes.length }, bytes.length);
    return value;
  }
}
