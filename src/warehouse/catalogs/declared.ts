import { FailedError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Catalog, CatalogEntry, LoadedTable } from '../catalog.ts';
import { tableExists } from '../errors.ts';
import { missingTable } from '../missing-table.ts';
import { directoryCatalog } from './directory.ts';
import type { CatalogParts } from './parts.ts';
import { placeOf } from './places.ts';

/** Tables that no listing finds, by name: the folder of each, with its `metadata/`. */
export type DeclaredTables = Readonly<Record<string, string>>;

/** What {@link withDeclaredTables} takes. */
export interface Declaring {
  readonly catalog: Catalog;
  readonly tables: DeclaredTables;
  readonly parts: Pick<CatalogParts, 'storage' | 'clock'>;
}

/**
 * A catalog, and tables beside it that somebody declared: what was written once and is in no catalog any more holds people all the
 * same. Each is found and changed as a directory catalog does; one whose metadata another catalog numbered is read only.
 *
 * `list` throws FailedError `catalog/ambiguous` where both know a table of one name, or two names lead to one folder.
 */
export function withDeclaredTables({ catalog, tables, parts }: Declaring): Catalog {
  const declared = new Map(
    Object.entries(tables).map(([table, place]) => [table, new DeclaredTable(table, placeOf(place), parts)]),
  );
  if (declared.size === 0) return catalog;
  return {
    ...(catalog.root === undefined ? {} : { root: catalog.root }),
    list: async () => {
      const entries = [...(await catalog.list()), ...[...declared.values()].map(({ entry }) => entry)];
      refuseTwins(entries);
      return entries.sort((a, b) => (a.table < b.table ? -1 : 1));
    },
    load: (table) => declared.get(table)?.load() ?? catalog.load(table),
    hidden: async (table) => {
      const found = declared.get(table);
      const one = found === undefined ? catalog.hidden?.(table) : found.catalog.hidden?.(await found.name());
      return (await one) ?? null;
    },
    defaultLocation: (table) => catalog.defaultLocation(table),
    create: async (table, metadata) => {
      if (declared.has(table)) throw tableExists(table);
      return catalog.create(table, metadata);
    },
    commit: async (table, change) => {
      const found = declared.get(table);
      return found === undefined
        ? catalog.commit(table, change)
        : found.as(await found.catalog.commit(await found.name(), change));
    },
    drop: async (table) => {
      const found = declared.get(table);
      return found === undefined ? catalog.drop(table) : found.catalog.drop(await found.name());
    },
    close: async () => catalog.close?.(),
  };
}

class DeclaredTable {
  readonly entry: CatalogEntry & { readonly location: string };
  readonly storage: Storage;
  /** A directory with one table in it. */
  readonly catalog: Catalog;

  constructor(table: string, path: string, { storage, clock }: Declaring['parts']) {
    this.entry = { table, location: storage.normalize(path) };
    this.storage = storage;
    this.catalog = directoryCatalog({ path, storage, clock });
  }

  /** The name under which the directory knows the table that lies in its own root. */
  async name(): Promise<string> {
    const { table, location } = this.entry;
    const found = (await this.catalog.list()).find((entry) => entry.location === location);
    if (found === undefined) throw await missingTable(this.storage, { table, location, known: [] });
    return found.table;
  }

  async load(): Promise<LoadedTable> {
    return this.as(await this.catalog.load(await this.name()));
  }

  as(loaded: LoadedTable): LoadedTable {
    return { ...loaded, table: this.entry.table };
  }
}

function refuseTwins(entries: readonly CatalogEntry[]): void {
  const names = new Map<string, CatalogEntry>();
  const places = new Map<string, CatalogEntry>();
  for (const entry of entries) {
    const twin = names.get(entry.table) ?? (entry.location === null ? undefined : places.get(entry.location));
    if (twin !== undefined) throw ambiguous(entry, twin);
    names.set(entry.table, entry);
    if (entry.location !== null) places.set(entry.location, entry);
  }
}

function ambiguous(one: CatalogEntry, other: CatalogEntry): FailedError {
  const same = one.table === other.table;
  const what = same
    ? `The catalog knows a table ${one.table} too`
    : `${one.table} and ${other.table} are both at ${one.location}`;
  return new FailedError('catalog/ambiguous', what, {
    remedy: 'Take the one that is declared out of the declared tables, or give it another name',
    data: { tables: [one.table, other.table], locations: [one.location, other.location] },
  });
}
