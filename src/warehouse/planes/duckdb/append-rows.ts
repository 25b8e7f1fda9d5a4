import { BIGINT, DuckDBDataChunk, VARCHAR } from './duckdb.ts';
import type { Session } from './engine.ts';

/** How many rows DuckDB takes at once. */
const CHUNK_ROWS = 2048;

/** Appends rows of texts and 64-bit numbers to a table of `VARCHAR` and `BIGINT` columns. */
export async function appendRows(
  session: Session,
  table: string,
  rows: readonly (readonly (string | bigint)[])[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const types = first.map((value) => (typeof value === 'string' ? VARCHAR : BIGINT));
  await session.append(table, async (append) => {
    for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
      const some = rows.slice(start, start + CHUNK_ROWS);
      const chunk = DuckDBDataChunk.create(types, some.length);
      chunk.setRows(some);
      append(chunk);
    }
  });
}
