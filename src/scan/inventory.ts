import type { FileStat, FileVersion, NoncurrentVersion, Storage } from '../storage/storage.ts';
import type { TableDescription, Warehouse } from '../warehouse/warehouse.ts';
import { type FileTable, NO_TABLE } from './ids/id-search.ts';

/** A table whose files are scanned. */
export interface ScannedTable {
  readonly name: string;
  /** Normalised. */
  readonly location: string;
  /** Normalised: the location, and where else the table's files are put. */
  readonly folders: readonly string[];
  /** Top-level names. */
  readonly columns: readonly string[];
  readonly fileTable: FileTable;
}

/** A file to scan, with the table or the folder in whose report it stands. */
export interface ScannedFile {
  /** Normalised; of an old version with its id behind it. */
  readonly location: string;
  /** Bytes that the file had before it was replaced or removed. */
  readonly version?: NoncurrentVersion;
  readonly size: number;
  /** The table, or the folder of a file that no table claims. */
  readonly group: string;
  readonly fileTable: FileTable;
  /** The part of the location that somebody chose for this file: what is above the warehouse is left out. */
  readonly path: string;
}

export interface Inventory {
  readonly tables: readonly ScannedTable[];
  readonly files: ReadonlyMap<string, ScannedFile>;
  /** Names behind which no file lies: they can say who somebody is, too. `unread` is why one is not proven by its name alone. */
  readonly names: readonly { readonly file: ScannedFile; readonly unread: string | null }[];
  /** What could not be listed or described, by table or folder. */
  readonly failures: readonly { readonly group: string; readonly what: string; readonly why: string }[];
  /** Makes a file out of a location that metadata names, outside of all folders. */
  external(stat: FileStat, group: string, fileTable: FileTable): ScannedFile;
}

/**
 * Lists every file in every folder of a table and under the warehouse's own folders, so that stray copies beside tables are
 * among them, and what a versioned bucket keeps of files that were replaced or removed (rule E5).
 */
export async function takeInventory(warehouse: Warehouse): Promise<Inventory> {
  const failures: { group: string; what: string; why: string }[] = [];
  const tables: ScannedTable[] = [];
  for (const name of await warehouse.list()) {
    try {
      tables.push(scannedTable(await warehouse.describe(name), warehouse));
    } catch {
      failures.push({ group: name, what: name, why: 'the table could not be described' });
    }
  }
  const roots = rootsOf(warehouse, tables);
  const stray: FileTable = {
    ...NO_TABLE,
    others: new Map(tables.map(({ name, columns }) => [name, columns])),
  };
  const files = new Map<string, ScannedFile>();
  const names: { file: ScannedFile; unread: string | null }[] = [];
  for (const root of withoutNested([...roots, ...tables.flatMap(({ folders }) => folders)])) {
    try {
      for await (const stat of warehouse.storage.list(root)) {
        const location = warehouse.storage.normalize(stat.location);
        files.set(location, scannedFile({ location, size: stat.size }, { tables, roots, stray }));
      }
      for await (const { location, kind } of warehouse.storage.namesOnly?.(root) ?? []) {
        const normal = warehouse.storage.normalize(location);
        const file = scannedFile({ location: normal, size: 0 }, { tables, roots, stray });
        names.push({ file, unread: UNREAD[kind] });
      }
      for await (const version of versionsUnder(warehouse.storage, root)) {
        const location = `${version.location}${VERSION}${version.id}`;
        const size = version.kind === 'noncurrent' ? version.size : 0;
        const file = scannedFile({ location, size }, { tables, roots, stray });
        if (version.kind === 'noncurrent') files.set(location, { ...file, version });
        else names.push({ file, unread: version.kind === 'upload' ? UNFINISHED : null });
      }
    } catch {
      failures.push({ group: root, what: root, why: 'the folder could not be listed' });
    }
  }
  const external = (stat: FileStat, group: string, fileTable: FileTable): ScannedFile => {
    const location = warehouse.storage.normalize(stat.location);
    return { location, size: stat.size, group, fileTable, path: location };
  };
  return { tables, files, names, failures, external };
}

/** Why a name without a file is not proven. What metadata names under a linked folder is read, but nobody lists the rest of it. */
const UNREAD = {
  'empty-folder': null,
  link: 'it is a link to a folder or to nothing, which is not followed',
  special: 'it is no file, folder or link',
  'no-text': 'its name is no text, so that nothing can be asked for by it: rename it and scan again',
} as const;

/** Stands between the location of a file and the id of one of its versions. */
const VERSION = '?versionId=';
const UNFINISHED = 'it is an upload that was never finished, whose bytes nobody can read';

async function* versionsUnder(storage: Storage, folder: string): AsyncGenerator<FileVersion> {
  yield* storage.versions(folder)?.list(folder) ?? [];
}

function scannedTable(description: TableDescription, warehouse: Warehouse): ScannedTable {
  return {
    name: description.table,
    location: warehouse.storage.normalize(description.location),
    folders: description.folders.map((folder) => warehouse.storage.normalize(folder)),
    columns: description.columns.filter(({ path }) => path.length === 1).map(({ name }) => name),
    fileTable: {
      ...NO_TABLE,
      table: description.table,
      namesById: new Map(description.columns.map((column) => [column.id, column.name])),
      partitionColumns: description.partitionColumns,
    },
  };
}

function scannedFile(
  { location, size }: { readonly location: string; readonly size: number },
  {
    tables,
    roots,
    stray,
  }: {
    readonly tables: readonly ScannedTable[];
    readonly roots: readonly string[];
    readonly stray: FileTable;
  },
): ScannedFile {
  const holding = tables.flatMap((table) =>
    table.folders.filter((folder) => isUnder(location, folder)).map((folder) => ({ table, folder })),
  );
  const nearest = holding.sort((a, b) => b.folder.length - a.folder.length)[0];
  const root = roots.filter((folder) => isUnder(location, folder)).sort((a, b) => a.length - b.length)[0];
  const path = location.slice((root ?? nearest?.folder ?? '').length + 1);
  if (nearest === undefined) return { location, size, group: parent(location), fileTable: stray, path };
  const { name, fileTable } = nearest.table;
  return { location, size, group: name, fileTable, path };
}

/**
 * The folders in which tables lie: what the warehouse says, else each table's parent, or the folder above where several
 * namespaces share it.
 */
function rootsOf(warehouse: Warehouse, tables: readonly ScannedTable[]): readonly string[] {
  if (warehouse.root !== undefined) return [warehouse.storage.normalize(warehouse.root)];
  const namespaces = [...new Set(tables.map((table) => parent(table.location)))];
  const above = new Map<string, number>();
  for (const folder of namespaces) above.set(parent(folder), (above.get(parent(folder)) ?? 0) + 1);
  const shared = (folder: string): boolean =>
    (above.get(parent(folder)) ?? 0) > 1 && depth(parent(folder)) > 0;
  return withoutNested(namespaces.map((folder) => (shared(folder) ? parent(folder) : folder)));
}

/** Folders without those that lie in another one of them. */
function withoutNested(folders: readonly string[]): readonly string[] {
  const different = [...new Set(folders)].filter((folder) => folder !== '');
  return different.filter((folder) => !different.some((other) => other !== folder && isUnder(folder, other)));
}

function isUnder(location: string, folder: string): boolean {
  return location.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function parent(location: string): string {
  return location.slice(0, Math.max(0, location.lastIndexOf('/')));
}

/** Folders in a path: 0 for the root of a file system. */
function depth(location: string): number {
  return location
    .replace(/^[a-z0-9+.-]+:\/\//i, '')
    .split('/')
    .filter((part) => part !== '').length;
}
