import type { Storage } from '../../../storage/storage.ts';
import type { DataPlane } from '../../data-plane.ts';
import { changeRows } from './change.ts';
import type { Context } from './context.ts';
import { countRows } from './count.ts';
import { inspectDeletes } from './deletes/inspect.ts';
import { startEngine } from './engine.ts';
import { distinctTuples, readRows } from './read.ts';
import { WRITTEN_TYPES } from './sql/primitive.ts';
import { writeRows } from './write.ts';

/** Settings of {@link duckdbPlane}. */
export interface DuckdbPlaneOptions {
  readonly storage: Storage;
  /** Files that are worked on at the same time, each by one thread; 2 if left out. */
  readonly threads?: number;
  /** As DuckDB writes it; `1GB` if left out. What does not fit goes to disk. */
  readonly memoryLimit?: string;
  /**
   * Bytes of remote files that are copied to this machine at the same time; 1 GiB if left out. A larger file is copied alone. What
   * DuckDB spills and new files come on top.
   */
  readonly copiedBytes?: number;
  /** Where the private folder is made; the system's temporary folder if left out. */
  readonly temporary?: string;
}

/**
 * A data plane on DuckDB in this process: Parquet files, written and rewritten with Iceberg's field ids and metrics. No
 * file passes through JavaScript; what is not yet published or does not fit in memory lies in a private folder, which
 * `close` removes.
 *
 * Delete files of every kind are applied, in Parquet and Puffin. Refused by name are the types that DuckDB cannot keep as they are (`arrow/read-value.ts` has the list of
 * what rows are taken from).
 *
 * @throws FailedError `plane/duckdb` where DuckDB cannot start
 *
 * @example
 * const plane = await duckdbPlane({ storage: localStorage() });
 * const files = await plane.write(table, rows, { next: () => `/lake/crm/learners/data/00000.parquet` });
 * await plane.close();
 */
export async function duckdbPlane(options: DuckdbPlaneOptions): Promise<DataPlane> {
  const { storage, threads = 2, memoryLimit = '1GB', copiedBytes = 2 ** 30, temporary } = options;
  const engine = await startEngine({
    threads,
    memoryLimit,
    ...(temporary === undefined ? {} : { temporary }),
  });
  const context: Context = { engine, storage, copiedBytes };
  return {
    capabilities: {
      types: WRITTEN_TYPES,
      formats: ['parquet'],
      deletes: ['position-deletes', 'equality-deletes', 'deletion-vectors'],
    },
    write: (table, rows, target) => writeRows(context, table, { rows, target }),
    change: (table, files, work, target) => changeRows(context, table, { files, work, target }),
    count: (table, files, where) => countRows(context, table, { files, where }),
    distinct: (table, files, columns, where, mayHold) =>
      distinctTuples(context, table, { files, read: { columns, where, mayHold } }),
    inspectDeletes: (table, deletes, where) => inspectDeletes(context, table, { deletes, where }),
    read: (table, files, read) => readRows(context, table, { files, read }),
    close: () => engine.close(),
  };
}
