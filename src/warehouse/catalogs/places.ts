import { resolve } from 'node:path';
import { LetheError, RefusedError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TableMetadata } from '../iceberg/metadata/metadata.ts';
import { within } from '../within.ts';

/** Checks where a table says that it is. Without declared places every place is right. */
export class Places {
  readonly #storage: Storage;
  readonly #declared: readonly string[];

  constructor(storage: Storage, declared: readonly string[]) {
    this.#storage = storage;
    this.#declared = declared.map((place) => storage.normalize(place));
  }

  /**
   * A wrong location would send reads, and deletes, there.
   *
   * @throws RefusedError `iceberg/location-outside`
   */
  check(table: string, { location }: TableMetadata, metadataFile: string): void {
    if (this.#declared.length === 0) return;
    for (const place of [location, metadataFile]) {
      const normal = this.#storage.normalize(place);
      if (this.#declared.some((declared) => within(declared, normal))) continue;
      throw new RefusedError(
        'iceberg/location-outside',
        `${table} is at ${place}, outside every declared place`,
        {
          remedy: `Nothing was changed. Correct the catalog's entry, or add the place to \`locations\` beside ${this.#declared.join(', ')}`,
          data: { table, location: place },
        },
      );
    }
  }
}

/** A place as a setting writes it: a URI stays as it is, a relative path begins in the working directory. */
export function placeOf(written: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(written) ? written : resolve(written);
}

/** The folder of a table by the place of its metadata file, in the storage's normal form; as it is where that has none. */
export function folderOf(storage: Storage, metadataFile: string): string {
  const folder = metadataFile.slice(0, metadataFile.lastIndexOf('/'));
  const location = folder.endsWith('/metadata') ? folder.slice(0, -'/metadata'.length) : folder;
  try {
    return storage.normalize(location);
  } catch (cause) {
    if (cause instanceof LetheError && cause.code === 'storage/scheme') return location;
    throw cause;
  }
}
