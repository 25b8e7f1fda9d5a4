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
   * @throws RefusedError `iceberg/location-outside`, `iceberg/location-above`
   */
  check(table: string, { location }: TableMetadata, metadataFile: string): void {
    this.#checkAbove(table, location, metadataFile);
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

  /**
   * A table may put its metadata anywhere inside its location, but a location that holds a whole declared place, or a bucket, while the
   * metadata lies in a folder further down, is not its own.
   */
  #checkAbove(table: string, location: string, metadataFile: string): void {
    const folder = folderOf(this.#storage, metadataFile);
    const normal = asNormal(this.#storage, location);
    if (!isAbove(normal, folder)) return;
    const holdsAll = isWhole(normal) || this.#declared.some((declared) => within(normal, declared));
    if (holdsAll) throw locationAbove(table, { location, folder });
  }
}

/** Whether a folder is one above another. */
export function isAbove(folder: string, other: string): boolean {
  return folder !== other && within(folder, other);
}

/** The error for a location in which more lies than the table: its sweep would take all of that. */
export function locationAbove(
  table: string,
  { location, folder }: { readonly location: string; readonly folder: string },
): RefusedError {
  return new RefusedError(
    'iceberg/location-above',
    `${table} says that it is located at ${location}, above its own folder ${folder}`,
    {
      remedy: "Nothing was changed. Correct the location in the table's metadata",
      data: { table, location, folder },
    },
  );
}

/** The root of a disk, or a bucket. */
function isWhole(location: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*)?\/?$/i.test(location);
}

/** A place as a setting writes it: a URI stays as it is, a relative path begins in the working directory. */
export function placeOf(written: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(written) ? written : resolve(written);
}

/** The folder of a table by the place of its metadata file, in the storage's normal form; as it is where that has none. */
export function folderOf(storage: Storage, metadataFile: string): string {
  const folder = metadataFile.slice(0, metadataFile.lastIndexOf('/'));
  return asNormal(storage, folder.endsWith('/metadata') ? folder.slice(0, -'/metadata'.length) : folder);
}

const HAS_NONE = ['storage/scheme', 'storage/relative'];

function asNormal(storage: Storage, location: string): string {
  try {
    return storage.normalize(location);
  } catch (cause) {
    if (cause instanceof LetheError && HAS_NONE.includes(cause.code)) return location;
    throw cause;
  }
}
