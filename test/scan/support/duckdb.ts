import { DuckDBInstance } from '@duckdb/node-api';

/** Runs SQL in a DuckDB of its own: the writer of the tests' files, which knows nothing of the scan. */
export async function withDuckdb<T>(
  use: (run: (sql: string) => Promise<unknown[][]>) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  try {
    return await use(async (sql) => (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][]);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** A text as an SQL string. */
export function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
