import { Table } from 'apache-arrow';

/** The rows of an Arrow table whose flag is true. No value is copied: the result is made of slices. */
export function keepRows(table: Table, kept: readonly boolean[]): Table {
  const runs: { from: number; to: number }[] = [];
  for (const [row, keep] of kept.entries()) {
    if (!keep) continue;
    const last = runs.at(-1);
    if (last?.to === row) last.to = row + 1;
    else runs.push({ from: row, to: row + 1 });
  }
  return new Table(
    table.schema,
    runs.flatMap(({ from, to }) => table.slice(from, to).batches),
  );
}
