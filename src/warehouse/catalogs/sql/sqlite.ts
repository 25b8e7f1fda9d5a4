import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Libsql from 'libsql';
import { FailedError, InputError } from '../../../errors.ts';
import { type Patience, pause } from '../patience.ts';
import type { Database, Row, Statement } from './database.ts';
import { noDriver, sqlFailed, unreachable } from './failures.ts';

/** What {@link openSqlite} needs. */
export interface SqliteOptions {
  /** An absolute path. */
  readonly path: string;
  readonly create: boolean;
  readonly patience: Patience;
}

/** Waiting for another process's lock ends after this much of it; engines hold theirs for milliseconds. */
const LONGEST_WAIT_MS = 60_000;
const BACKOFF = { firstMs: 4, longestMs: 250 };

/**
 * A database file that other processes use at the same time. Waiting for their locks does not block this one.
 *
 * @throws InputError `catalog/no-database`, `catalog/no-driver`; FailedError `catalog/unreachable`
 */
export async function openSqlite({ path, create, patience }: SqliteOptions): Promise<Database> {
  const shown = `sqlite:${path}`;
  if (!existsSync(path)) {
    if (!create) {
      throw new InputError('catalog/no-database', `There is no database file ${path}`, {
        remedy: 'Correct the url of the catalog, or open it with `create` to begin a new catalog there',
        data: { path },
      });
    }
    mkdirSync(dirname(path), { recursive: true });
  }
  const Driver = await driver();
  let database: Libsql.Database;
  try {
    database = new Driver(path);
  } catch {
    throw unreachable(shown, 'the file cannot be opened');
  }
  const carryOut = async <T>(work: () => T): Promise<T> => {
    for (let tried = 0, waited = 0; ; tried += 1) {
      try {
        return work();
      } catch (cause) {
        const code = codeOf(cause);
        if (!code.startsWith('SQLITE_BUSY') && !code.startsWith('SQLITE_LOCKED')) throw failed(shown, code);
        if (waited >= LONGEST_WAIT_MS) throw busy(shown);
      }
      waited += await pause(patience, tried, BACKOFF);
    }
  };
  // A statement is made anew each time: one that was refused may keep its lock until it is made again.
  const prepared = ({ parts }: Statement): Libsql.Statement<unknown[]> => database.prepare(parts.join('?'));
  return {
    shown,
    rows: (statement) =>
      carryOut(() => {
        const made = prepared(statement).raw();
        return named(made.all([...statement.values]) as unknown[][], made.columns());
      }),
    run: (statement) => carryOut(() => prepared(statement).run([...statement.values]).changes),
    columns: async (table) => {
      const rows = await carryOut(() =>
        database.prepare(`SELECT name FROM pragma_table_info(?)`).raw().all([table]),
      );
      return new Set((rows as string[][]).map(([name = '']) => name.toLowerCase()));
    },
    close: async () => {
      database.close();
    },
  };
}

async function driver(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch {
    throw noDriver('libsql', 'SQLite');
  }
}

function named(rows: readonly unknown[][], columns: readonly { readonly name: string }[]): readonly Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      columns.map(({ name }, index) => [name, row[index] == null ? null : String(row[index])]),
    ),
  );
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
}

function failed(shown: string, code: string): FailedError {
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new FailedError('catalog/damaged', `${shown} is no database, or a damaged one (${code})`, {
      remedy: 'Correct the url of the catalog, or restore the file from a copy',
      data: { catalog: shown, error: code },
    });
  }
  return sqlFailed(shown, code, code.startsWith('SQLITE_READONLY') ? ': it may only be read' : '');
}

function busy(shown: string): FailedError {
  return new FailedError('catalog/busy', `Another process keeps ${shown} locked`, {
    remedy: 'Nothing was changed by this step. End the process that holds the lock, then run again',
    data: { catalog: shown },
  });
}
