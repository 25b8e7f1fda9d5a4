import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { BindOptions } from '../../../src/erasure/bind.ts';
import { compileSql } from '../../../src/predicate/index.ts';
import type { Predicate } from '../../../src/predicate/predicate.ts';
import type { Shape } from './pipeline.ts';
import { SOURCES, sourceSql } from './world.ts';

/** A table joined with itself again and again, whose rows no memory holds: it tells nothing that a smaller one does not. */
export class TooLarge extends Error {}

/** A DuckDB in memory that holds the sources; every pipeline runs in a transaction that is taken back. */
export class Lake {
  readonly #connection: DuckDBConnection;

  static async open(): Promise<Lake> {
    const limits = { threads: '1', memory_limit: '256MB', temp_directory: '' };
    const instance = await DuckDBInstance.create(':memory:', limits);
    const connection = await instance.connect();
    await connection.run(sourceSql());
    // The tables have a handful of rows: planning costs more than it saves.
    await connection.run('PRAGMA disable_optimizer');
    return new Lake(connection);
  }

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async run(statements: readonly string[]): Promise<void> {
    const sql = statements.join(';\n');
    try {
      if (sql !== '') await this.#connection.run(sql);
    } catch (cause) {
      throw refused(sql, cause);
    }
  }

  async rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    try {
      return (await this.#connection.runAndReadAll(sql)).getRows();
    } catch (cause) {
      throw refused(sql, cause);
    }
  }

  /** Runs `body` on the sources as they were made, and undoes all that it did. */
  async trial<T>(body: () => Promise<T>): Promise<T> {
    await this.#connection.run('BEGIN');
    try {
      return await body();
    } finally {
      await this.#connection.run('ROLLBACK');
    }
  }

  close(): void {
    this.#connection.closeSync();
  }
}

/** What binding asks of a warehouse, answered by DuckDB. */
export function warehouseOn(lake: Lake, tables: readonly Shape[]): BindOptions['warehouse'] {
  const shapes = new Map([...SOURCES, ...tables].map((shape) => [shape.table, shape]));
  const shapeOf = (table: string): Shape => shapes.get(table)!;
  return {
    async describe(table) {
      const columns = shapeOf(table).columns.map(({ name, type }) => ({ name, type }));
      return { table, columns } as unknown as Awaited<ReturnType<BindOptions['warehouse']['describe']>>;
    },
    async count(table, where) {
      const [row] = await lake.rows(`SELECT count(*)::INTEGER FROM ${table}${whereSql(where)}`);
      return row![0] as number;
    },
    async *distinct(table, columns, where) {
      const types = columns.map(
        (name) => shapeOf(table).columns.find((column) => column.name === name)!.type,
      );
      const list = columns.map((name) => `"${name}"`).join(', ');
      for (const row of await lake.rows(`SELECT DISTINCT ${list} FROM ${table}${whereSql(where)}`))
        yield row.map((value, at) =>
          value === null
            ? null
            : types[at] === 'long'
              ? ({ type: 'long', value: String(value) } as const)
              : ({ type: 'text', value: String(value) } as const),
        );
    },
  };
}

function whereSql(where: Predicate | undefined): string {
  return where === undefined ? '' : ` WHERE ${compileSql(where, 'duckdb')}`;
}

function refused(sql: string, cause: unknown): Error {
  const isFull = cause instanceof Error && cause.message.startsWith('Out of Memory Error');
  return new (isFull ? TooLarge : Error)(`DuckDB refused: ${sql}`, { cause });
}
