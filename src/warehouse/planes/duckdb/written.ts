import { rm } from 'node:fs/promises';
import { quoteName } from '../../../predicate/index.ts';
import type { DataFile } from '../../data-file.ts';
import type { PlaneTable, WriteTarget } from '../../data-plane.ts';
import { type MetricsMode, metricsModes } from '../../iceberg/metrics/modes.ts';
import type { Context } from './context.ts';
import type { Session } from './engine.ts';
import { collectMetrics } from './metrics.ts';
import { readWrittenFooter } from './parquet/footer.ts';
import { copyStatement } from './parquet/write-file.ts';
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
   * are columns besides the schema's.
   */
  async add(
    session: Session,
    {
      query,
      rest,
      extra = [],
    }: { readonly query: string; readonly rest: Kept; readonly extra?: readonly ShapeField[] },
  ): Promise<DataFile | null> {
    const local = this.#context.engine.scratch();
    try {
      const fields = [...this.#fields, ...extra];
      const named = fields.map(({ id, name }) => `f${id} AS ${quoteName('duckdb', name)}`);
      await session.run(copyStatement(`SELECT ${named.join(', ')} FROM (${query})`, fields, local));
      const described = await this.#describe(session, local, rest);
      if (described.recordCount === 0n) return null;
      const file = { ...described, location: this.#target.next('parquet') };
      await this.#context.storage.publish(local, file.location);
      this.#files.push(file);
      return file;
    } finally {
      await rm(local, { force: true });
    }
  }

  async #describe(session: Session, local: string, rest: Kept): Promise<DataFile> {
    const footer = await readWrittenFooter(local);
    const file = { location: local, path: local, footer };
    const { table, schema } = this.#table;
    return {
      content: 'data',
      location: local,
      format: 'parquet',
      ...rest,
      recordCount: footer.rows,
      fileSize: BigInt(footer.size),
      splitOffsets: footer.splitOffsets,
      metrics: await collectMetrics(session, table, { schema, modes: this.#modes, file }),
    };
  }
}
