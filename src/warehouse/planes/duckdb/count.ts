import { always, type Predicate } from '../../../predicate/index.ts';
import type { PlaneFile, PlaneTable } from '../../data-plane.ts';
import type { Context } from './context.ts';
import { blame, fileGroups } from './files.ts';
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
  let count = 0;
  for await (const group of fileGroups(context, table, files)) {
    const sql = `SELECT count(*) FROM (${rows.from(group.files, [], { conditions: [condition] })}) WHERE ${condition.where}`;
    try {
      const [row] = await context.engine.session(
        { doing: 'counting rows of', table: table.table },
        (session) => session.rows(sql),
      );
      count += Number(row![0]);
    } catch (error) {
      throw await blame(context, table, { files: group.files, error });
    }
  }
  return count;
}
