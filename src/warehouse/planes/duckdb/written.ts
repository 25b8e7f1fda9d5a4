import { rm } from 'node:fs/promises';
import { quoteName } from '../../../predicate/index.ts';
import type { DataFile } from '../../data-file.ts';
import type { PlaneTable, WriteTarget } from '../../data-plane.ts';
import { type MetricsMode, metricsModes } from '../../iceberg/metrics/modes.ts';
import type { Context } from './context.ts';
import type { Session } from './engine.ts';
import { collectMetrics } from './metrics.ts';
import { readWrittenFooter, type WrittenFooter } from './parquet/footer.ts';
import { copyStatement } from './parquet/write-file.ts';
import { hasNegativeZero } from './sql/negative-zero.ts';
import { fileShape, type ShapeField } from './sql/shape.ts';

/** What of a `DataFile` is known before its file is written. */
export type Kept = Pick<DataFile, 'specId' | 'partition'> & Partial<Pick<DataFile, 'sortOrderId'>>;

/**
 * The files that one operation writes. Each is written in the private folder, its metrics are taken from there, and only then it is
 * published whole; where the operation fails, those already published are removed.
 */
export class Written {
  readonly #context: Context;
  readonly #table: PlaneTable;
  readonly #target: WriteTarget;
  readonly #fields: readonly ShapeField[];
  readonly #modes: ReadonlyMap<number, MetricsMode>;
  readonly #files: DataFile[] = [];

  constructor(context: Context, table: PlaneTable, target: WriteTarget) {
    this.#context = context;
    this.#table = table;
    this.#target = target;
    this.#fields = fileShape(table.schema);
    this.#modes = metricsModes(table.schema, table.properties, table.sortFieldIds);
  }

  get files(): readonly DataFile[] {
    return this.#files;
  }

  /** Runs `work`; where it fails, removes what was published. */
  async orNothing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The first failure is the one to report; a file that cannot be removed now is recorded by the target.
      for (const { location } of this.#files) await this.#context.storage.remove(location).catch(() => false);
      throw error;
    }
  }

  /**
   * Writes the rows of `query`, whose columns are `f<id>` in the file shape, as one new file; null, and none, for no rows. `extra`
   * are columns besides the schema's. `whole` gives at least the same floating numbers, and is cheaper to ask where `query` has conditions.
   */
  async add(
    session: Session,
    {
      query,
      whole = query,
      rest,
      extra = [],
    }: {
      readonly query: string;
      readonly whole?: string;
      readonly rest: Kept;
      readonly extra?: readonly ShapeField[];
    },
  ): Promise<DataFile | null> {
    const local = this.#context.engine.scratch();
    try {
      const footer = await this.#copy(session, { query, whole, fields: [...this.#fields, ...extra], local });
      const described = await this.#describe(session, { path: local, footer, rest });
      if (described.recordCount === 0n) return null;
      const file = { ...described, location: this.#target.next('parquet') };
      await this.#context.storage.publish(local, file.location);
      this.#files.push(file);
      return file;
    } finally {
      await rm(local, { force: true });
    }
  }

  /** Without dictionaries where one would turn a negative zero into the other (hazard 9). */
  async #copy(
    session: Session,
    {
      query,
      whole,
      fields,
      local,
    }: {
      readonly query: string;
      readonly whole: string;
      readonly fields: readonly ShapeField[];
      readonly local: string;
    },
  ): Promise<WrittenFooter> {
    const named = fields.map(({ id, name }) => `f${id} AS ${quoteName('duckdb', name)}`);
    const sql = `SELECT ${named.join(', ')} FROM (${query})`;
    await session.run(copyStatement(sql, fields, { path: local, dictionary: true }));
    const footer = await readWrittenFooter(local);
    const where = footer.mayMixZeros ? hasNegativeZero(this.#fields) : null;
    if (where === null) return footer;
    if ((await session.rows(`SELECT 1 FROM (${whole}) WHERE ${where} LIMIT 1`)).length === 0) return footer;
    await session.run(copyStatement(sql, fields, { path: local, dictionary: false }));
    return readWrittenFooter(local);
  }

  async #describe(
    session: Session,
    { path, footer, rest }: { readonly path: string; readonly footer: WrittenFooter; readonly rest: Kept },
  ): Promise<DataFile> {
    const file = { location: path, path, footer };
    const { table, schema } = this.#table;
    return {
      content: 'data',
      location: path,
      format: 'parquet',
      ...rest,
      recordCount: footer.rows,
      fileSize: BigInt(footer.size),
      splitOffsets: footer.splitOffsets,
      metrics: await collectMetrics(session, table, { schema, modes: this.#modes, file }),
    };
  }
}
