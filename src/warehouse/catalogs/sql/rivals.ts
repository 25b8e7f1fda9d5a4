import type { Storage } from '../../../storage/storage.ts';
import type { TableRefusal } from '../../warehouse.ts';
import { folderRival } from '../folder-rival.ts';
import { folderOf } from '../places.ts';
import { type TableRow, tableOf } from './identifier.ts';
import type { CatalogRows } from './rows.ts';

/**
 * Finds a second pointer to a table: another row of the database, of this catalog or another one, or a folder that a directory
 * catalog reads. A commit moves one pointer alone; the other would soon name deleted files. Each place is looked at once.
 */
export class Rivals {
  readonly #rows: CatalogRows;
  readonly #storage: Storage;
  readonly #known = new Map<string, Promise<TableRefusal | null>>();

  constructor(rows: CatalogRows, storage: Storage) {
    this.#rows = rows;
    this.#storage = storage;
  }

  of(row: TableRow): Promise<TableRefusal | null> {
    const place = `${tableOf(row)} ${folderOf(this.#storage, row.metadataFile)}`;
    const known = this.#known.get(place) ?? this.#look(row);
    this.#known.set(place, known);
    known.catch(() => this.#known.delete(place));
    return known;
  }

  async #look(row: TableRow): Promise<TableRefusal | null> {
    const folder = folderOf(this.#storage, row.metadataFile);
    // Two spellings of a place end alike; which of them are the same, the storage says.
    const tail = folder.split('/').slice(-2).join('/');
    const near = await this.#rows.placedAt(`${tail}/`);
    const other = near.find(
      (one) =>
        folderOf(this.#storage, one.metadataFile) === folder &&
        !(one.catalog === row.catalog && one.namespace === row.namespace && one.name === row.name),
    );
    if (other === undefined) return folderRival(this.#storage, row.metadataFile);
    return {
      code: 'foreign-catalog',
      reason: `${tableOf(other)} of the catalog ${other.catalog} in the same database points to this table too, and would soon name deleted files`,
      remedy: 'Take the entry that is not used out of iceberg_tables, so that one pointer is left',
    };
  }
}
