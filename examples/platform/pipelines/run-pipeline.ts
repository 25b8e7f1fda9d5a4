import type { Changed } from 'lethe/warehouse';
import { arrowTable } from './arrow.ts';
import { type Emitting, reportRun } from './openlineage.ts';
import type { Pipeline } from './pipeline.ts';

export interface RunOptions extends Emitting {
  /** Called when the pipeline has made its table, before it writes a row. */
  readonly created?: (table: string) => Promise<void>;
}

/** Builds a pipeline's table from what its inputs hold now, and reports the run. */
export async function runPipeline(pipeline: Pipeline, options: RunOptions): Promise<Changed> {
  const report = reportRun(pipeline, options);
  await report.start();
  try {
    const rows = arrowTable(pipeline.columns, await pipeline.build(options.warehouse));
    const written = await replace(pipeline, rows, options);
    await report.complete(written);
    return written;
  } catch (error) {
    await report.fail();
    throw error;
  }
}

async function replace(
  { table, columns, writes }: Pipeline,
  rows: ReturnType<typeof arrowTable>,
  { warehouse, created }: RunOptions,
): Promise<Changed> {
  const exists = (await warehouse.list()).includes(table);
  if (exists && writes === 'overwrite') return warehouse.overwrite(table, rows);
  if (exists) await warehouse.drop(table, { purge: true });
  await warehouse.create(table, { columns });
  await created?.(table);
  return warehouse.append(table, rows);
}
