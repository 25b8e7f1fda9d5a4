import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { Context } from './context.ts';
import type { Doing } from './errors.ts';

/** Distinct rows of several groups of files, in a table of the engine, which spills to disk where they are many. */
export class Gathered {
  readonly #context: Context;
  readonly #doing: Doing;
  #table: string | null = null;

  constructor(context: Context, doing: Doing) {
    this.#context = context;
    this.#doing = doing;
  }

  /** Adds what a query gives. */
  async add(query: string): Promise<void> {
    const { engine } = this.#context;
    const table = this.#table ?? engine.tableName();
    const sql = this.#table === null ? `CREATE TABLE ${table} AS ${query}` : `INSERT INTO ${table} ${query}`;
    await engine.session(this.#doing, (session) => session.run(sql));
    this.#table = table;
  }

  /** Each row that was added once; none where none was. */
  async *distinct(): AsyncIterable<DuckDBDataChunk> {
    if (this.#table !== null) {
      yield* this.#context.engine.stream(this.#doing, `SELECT DISTINCT * FROM ${this.#table}`);
    }
  }

  async drop(): Promise<void> {
    const table = this.#table;
    if (table === null) return;
    await this.#context.engine.session(this.#doing, (session) => session.run(`DROP TABLE ${table}`));
  }
}
