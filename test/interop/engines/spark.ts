import { parseJson } from '../../../src/values/json.ts';
import { service } from '../services/index.ts';
import { askOn } from '../services/socket.ts';
import type { CanonicalRow } from './canonical.ts';

/** Spark's SQL, and what of Iceberg for Spark has no SQL. */
export interface Spark {
  /** Runs one statement and gives its rows. */
  readonly sql: (statement: string) => Promise<readonly CanonicalRow[]>;
  /** Sets properties of the session. */
  readonly conf: (settings: Readonly<Record<string, string>>) => Promise<void>;
  /** Commits an equality delete of rows with these values, through Iceberg's Java writers. */
  readonly equalityDelete: (options: {
    readonly table: string;
    readonly column: string;
    readonly values: readonly string[];
  }) => Promise<void>;
  /** Adds an int column with a default for old rows and new ones, through Iceberg's Java API. */
  readonly addDefault: (options: {
    readonly table: string;
    readonly column: string;
    readonly value: number;
  }) => Promise<void>;
  /** Stages the files that a snapshot added once more, in a snapshot that no branch names. */
  readonly stageAgain: (table: string, snapshot: string) => Promise<void>;
  /** Iceberg's orphan sweep with any age, in epoch milliseconds; the files that it removed. */
  readonly removeOrphans: (table: string, olderThan: number) => Promise<readonly string[]>;
}

/** The Spark of this run. */
export async function openSpark(): Promise<Spark> {
  const { socket } = await service('spark');
  const call = async (command: string, args: object): Promise<unknown> =>
    parseJson(await askOn(socket, `/${command}`, args));
  return {
    sql: async (statement) => ((await call('sql', { statement })) as { rows: CanonicalRow[] }).rows,
    conf: async (settings) => void (await call('conf', { settings })),
    equalityDelete: async (options) => void (await call('equality_delete', options)),
    addDefault: async (options) => void (await call('add_default', options)),
    stageAgain: async (table, snapshot) => void (await call('stage_again', { table, snapshot })),
    removeOrphans: async (table, olderThan) =>
      (await call('remove_orphans', { table, older_than_ms: olderThan })) as string[],
  };
}
