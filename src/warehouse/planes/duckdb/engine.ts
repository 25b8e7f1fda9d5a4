import type { DuckDBConnection, DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api';
import { quoteText } from '../../../predicate/index.ts';
import type { PrivateFolder } from '../../../storage/private-folder.ts';
import { DuckDBInstance } from './duckdb.ts';
import { type Doing, duckdbError } from './errors.ts';
import { temporaryFolder } from './temporary.ts';

/** DuckDB in this process, with a private folder. */
export interface Engine {
  /** Sessions that are worth having at the same time. */
  readonly threads: number;
  /** Runs `use` with a connection of its own, closed afterwards. */
  session<T>(doing: Doing, use: (session: Session) => Promise<T>): Promise<T>;
  /** The same for a stream; the connection is closed when the stream ends or is left. */
  stream(doing: Doing, sql: string): AsyncIterable<DuckDBDataChunk>;
  /** A path in the private folder that no file has yet. */
  scratch(): string;
  /** A name that no table of the engine has yet; its sessions all see a table of that name. */
  tableName(): string;
  close(): Promise<void>;
}

/** One connection. Every failure of DuckDB leaves it as `plane/duckdb`, without the values that DuckDB quotes. */
export interface Session {
  run(sql: string): Promise<void>;
  rows(sql: string): Promise<readonly (readonly DuckDBValue[])[]>;
  /** Opens an appender for a table that `run` made and closes it after `use`. */
  append(table: string, use: (append: (chunk: DuckDBDataChunk) => void) => Promise<void>): Promise<void>;
}

export interface EngineOptions {
  /** Statements that run at the same time, each on a thread of its own. */
  readonly threads: number;
  /** As DuckDB writes it: `1GB`. */
  readonly memoryLimit: string;
  /** Where the private folder is made. */
  readonly temporary?: string;
}

/**
 * Starts DuckDB in memory: no network, no extensions from outside, and its configuration locked. What does not fit in
 * memory goes to the private folder.
 *
 * A statement has one thread, and several run at the same time: two threads on one file took a third more processor time and
 * twice the memory to keep its rows in order, and were no faster than each of them on a file of its own.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const folder = await temporaryFolder(options.temporary);
  try {
    return engineOn(folder, await start(options, folder.path), options.threads);
  } catch (error) {
    await folder.remove();
    throw duckdbError({ doing: 'starting DuckDB' }, error);
  }
}

async function start(options: EngineOptions, folder: string): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: options.memoryLimit,
    temp_directory: folder,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_file_cache: 'false',
  });
  const connection = await instance.connect();
  try {
    await connection.run(`SET GLOBAL TimeZone = ${quoteText('duckdb', 'UTC')}`);
    await connection.run('SET GLOBAL lock_configuration = true');
  } finally {
    connection.closeSync();
  }
  return instance;
}

function engineOn(folder: PrivateFolder, instance: DuckDBInstance, threads: number): Engine {
  let scratched = 0;
  let named = 0;
  return {
    threads,
    async session(doing, use) {
      const connection = await instance.connect();
      try {
        return await use(sessionOn(connection, doing));
      } finally {
        connection.closeSync();
      }
    },
    async *stream(doing, sql) {
      const connection = await instance.connect();
      try {
        const result = await connection.stream(sql);
        for (let chunk = await result.fetchChunk(); chunk !== null; chunk = await result.fetchChunk()) {
          if (chunk.rowCount === 0) break;
          yield chunk;
        }
      } catch (error) {
        throw duckdbError(doing, error);
      } finally {
        connection.closeSync();
      }
    },
    scratch: () => `${folder.path}/${++scratched}.parquet`,
    tableName: () => `t${++named}`,
    async close() {
      instance.closeSync();
      await folder.remove();
    },
  };
}

function sessionOn(connection: DuckDBConnection, doing: Doing): Session {
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw duckdbError(doing, error);
    }
  };
  return {
    run: (sql) => guarded(async () => void (await connection.run(sql))),
    rows: (sql) => guarded(async () => (await connection.runAndReadAll(sql)).getRows()),
    append: (table, use) =>
      guarded(async () => {
        const appender = await connection.createAppender(table);
        await use((chunk) => appender.appendDataChunk(chunk));
        appender.closeSync();
      }),
  };
}
