import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Libsql from 'libsql';
import { InputError } from '../../../errors.ts';
import type { Patience } from '../patience.ts';
import type { Database, Row, Statement } from './database.ts';
import { noDriver, unreachable } from './failures.ts';
import { transactions } from './sqlite-transactions.ts';

/** What {@link openSqlite} needs. */
export interface SqliteOptions {
  /** An absolute path. */
  readonly path: string;
  readonly create: boolean;
  readonly patience: Patience;
}

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
        remedy: 'Correct the url of the catalog, or begin a new catalog there from code, with `create: true`',
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
  const inTransaction = transactions(database, { shown, patience });
  // Made anew each time, and finished inside its transaction.
  const prepared = ({ parts }: Statement): Libsql.Statement<unknown[]> => database.prepare(parts.join('?'));
  return {
    shown,
    rows: (statement) =>
      inTransaction('read', () => {
        const made = prepared(statement).raw();
        return named(made.all([...statement.values]) as unknown[][], made.columns());
      }),
    run: (statement) => inTransaction('write', () => prepared(statement).run([...statement.values]).changes),
    columns: (table) =>
      inTransaction('read', () => {
        const rows = database
          .prepare('SELECT name FROM pragma_table_info(?)')
          .raw()
          .all([table]) as string[][];
        return new Set(rows.map(([name = '']) => name.toLowerCase()));
      }),
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
