import { always, type Predicate } from '../../../predicate/index.ts';
import type { PlaneFile, PlaneTable } from '../../data-plane.ts';
import type { Context } from './context.ts';
import { blame, openFiles } from './files.ts';
import { TableRows } from './rows.ts';

/** Rows of the files for which the predicate is true, counted by reading. */
export async function countRows(
  context: Context,
  table: PlaneTable,
  {
    files,
    where = always(),
  }: { readonly files: readonly PlaneFile[]; readonly where?: Predicate | undefined },
): Promise<number> {
  const rows = new TableRows(table);
  const condition = rows.where(where);
  if (files.length === 0) return 0;
  const opened = await openFiles(context, table, files);
  try {
    const sql = `SELECT count(*) FROM (${rows.from(opened.files, [], { conditions: [condition] })}) WHERE ${condition.where}`;
    const [row] = await context.engine.session({ doing: 'counting rows of', table: table.table }, (session) =>
      session.rows(sql),
    );
    return Number(row![0]);
  } catch (error) {
    throw await blame(context, table, { files: opened.files, error });
  } finally {
    await opened.release();
  }
}
