import { parseJson } from '../../../src/values/json.ts';
import { service } from '../services/index.ts';
import { askOn } from '../services/socket.ts';
import type { Canonical, CanonicalRow } from './canonical.ts';

/** PyIceberg's calls that the tests need; a catalog by the name that {@link PyIceberg.catalog} gave it. */
export interface PyIceberg {
  /** `knownAs` is the catalog's name inside a database that several share. */
  readonly catalog: (
    name: string,
    settings: Readonly<Record<string, string>>,
    knownAs?: string,
  ) => Promise<void>;
  /** Makes a table that has a feature, with these rows in two commits. */
  readonly write: (options: {
    readonly catalog: string;
    readonly table: string;
    readonly feature: string;
    readonly rows: readonly CanonicalRow[];
    readonly properties?: Readonly<Record<string, string>>;
  }) => Promise<void>;
  /** All rows, or those of a branch or tag; with null for the catalog `table` is the location of a metadata file. */
  readonly read: (
    catalog: string | null,
    table: string,
    ref?: string | undefined,
  ) => Promise<readonly CanonicalRow[]>;
  /** `summary` is what the snapshot says of itself beside its counts. */
  readonly append: (options: {
    readonly catalog: string;
    readonly table: string;
    readonly rows: readonly CanonicalRow[];
    readonly summary?: Readonly<Record<string, string>>;
  }) => Promise<void>;
  readonly remove: (
    catalog: string,
    table: string,
    column: string,
    value: Canonical | number,
  ) => Promise<void>;
  /** Expires all snapshots but the current one. */
  readonly expire: (catalog: string, table: string) => Promise<void>;
  /** Which of these files hold a person, by kind of place; a file is its name and where a copy of it lies, if it has content. */
  readonly leftovers: (options: {
    readonly files: readonly (readonly [name: string, path: string | null])[];
    readonly id_column: string;
    readonly id: number;
    readonly text: string;
  }) => Promise<Readonly<Record<string, readonly string[]>>>;
}

/** The PyIceberg of this run. */
export async function openPyIceberg(): Promise<PyIceberg> {
  const { socket } = await service('pyiceberg');
  const call = async (command: string, args: object): Promise<unknown> =>
    parseJson(await askOn(socket, `/${command}`, args));
  return {
    catalog: async (name, settings, knownAs = name) =>
      void (await call('catalog', { name, settings, known_as: knownAs })),
    write: async ({ properties = {}, ...options }) => void (await call('write', { ...options, properties })),
    read: async (catalog, table, ref = 'main') =>
      (await call('read', { catalog, table, ref })) as CanonicalRow[],
    append: async ({ summary = {}, ...options }) => void (await call('append', { ...options, summary })),
    remove: async (catalog, table, column, value) =>
      void (await call('delete', { catalog, table, column, value })),
    expire: async (catalog, table) => void (await call('expire', { catalog, table })),
    leftovers: async (options) => (await call('leftovers', options)) as Record<string, string[]>,
  };
}
