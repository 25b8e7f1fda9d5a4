import { type RecordBatch, Table } from 'apache-arrow';
import type { DataFile } from '../../data-file.ts';
import type { PlaneTable, WriteTarget } from '../../data-plane.ts';
import { integerProperty } from '../../iceberg/metadata/properties.ts';
import type { Rows } from '../../warehouse.ts';
import { chunksOf } from './arrow/chunks.ts';
import type { Context } from './context.ts';
import type { Session } from './engine.ts';
import { partitionKeys, split } from './partition.ts';
import { shapeType, wireShape } from './sql/shape.ts';
import { staged } from './staged.ts';
import { Written } from './written.ts';

const TARGET_FILE_SIZE = 512 * 1024 * 1024;

/**
 * Writes rows as Parquet files of the table's schema, in their order, apart for each partition; none for no rows. New files
 * are begun where the rows reach `write.target-file-size-bytes` in memory. Where anything fails, the files already published are removed.
 */
export async function writeRows(
  context: Context,
  table: PlaneTable,
  { rows, target }: { readonly rows: Rows; readonly target: WriteTarget },
): Promise<readonly DataFile[]> {
  const keys = partitionKeys(table);
  const written = new Written(context, table, target);
  const limit = integerProperty(table.properties, 'write.target-file-size-bytes', TARGET_FILE_SIZE);
  return context.engine.session({ doing: 'writing', table: table.table }, (session) =>
    written.orNothing(async () => {
      for await (const batches of portions(rows, limit)) {
        await stage(session, table, batches);
        for (const { partition, rows } of await split(session, table, keys)) {
          const query = `SELECT * EXCLUDE (row) FROM (${staged(table)}) ${rows}`;
          await written.add(session, { query, rest: { specId: table.partitioning?.id ?? 0, partition } });
        }
        await session.run('DROP TABLE staged');
      }
      return written.files;
    }),
  );
}

/** Groups of batches of about `limit` bytes each, without empty ones. Each group is drawn as it is staged. */
async function* portions(rows: Rows, limit: number): AsyncGenerator<AsyncIterable<RecordBatch>> {
  const source = batchesOf(rows);
  let next = await source.next();
  while (next.done !== true) {
    yield (async function* () {
      let bytes = 0;
      while (next.done !== true && bytes < limit) {
        bytes += next.value.data.byteLength;
        yield next.value;
        next = await source.next();
      }
    })();
  }
}

async function* batchesOf(rows: Rows): AsyncGenerator<RecordBatch, void, undefined> {
  const batches = rows instanceof Table ? rows.batches : rows;
  for await (const batch of batches) if (batch.numRows > 0) yield batch;
}

async function stage(
  session: Session,
  table: PlaneTable,
  batches: AsyncIterable<RecordBatch>,
): Promise<void> {
  const columns = wireShape(table.schema).map(({ name, shape }) => `${name} ${shapeType(shape)}`);
  await session.run(`CREATE TEMP TABLE staged (${columns.join(', ')})`);
  await session.append('staged', async (append) => {
    for await (const batch of batches) for (const chunk of chunksOf(batch, table.schema)) append(chunk);
  });
}
