import { columnsOf, not, type Predicate } from '../../../../predicate/index.ts';
import type { DataFile } from '../../../data-file.ts';
import { deleteKind } from '../../../data-file.ts';
import type { InspectedDelete, PlaneTable } from '../../../data-plane.ts';
import type { Context } from '../context.ts';
import type { Session } from '../engine.ts';
import { fieldAt } from '../parquet/footer.ts';
import { TableRows } from '../rows.ts';
import { type OpenDelete, openDeletes } from './open-deletes.ts';
import { namedFiles } from './position.ts';

/** The reserved id of the deleted row, which some writers keep in position deletes. */
const ROW_ID = 2147483544;

/** Says of delete files which data files they name and whether they may hold values of rows for which `where` is true. */
export async function inspectDeletes(
  context: Context,
  table: PlaneTable,
  { deletes, where }: { readonly deletes: readonly DataFile[]; readonly where: Predicate },
): Promise<readonly InspectedDelete[]> {
  const parquet = deletes.filter((file) => deleteKind(file) !== 'deletion-vectors');
  const opened = await openDeletes(context, table, [{ given: { file: parquet[0]!, deletes: parquet } }]);
  try {
    return await context.engine.session(
      { doing: 'looking into the deletes of', table: table.table },
      async (session) => {
        const inspected: InspectedDelete[] = [];
        for (const file of deletes) {
          const found = opened.files.get(file.location);
          if (found === undefined) inspected.push({ file, names: new Set(), mayHold: false });
          else if (file.content === 'equality-deletes') {
            const mayHold = await mayHoldRow(session, table, { found, where });
            inspected.push({ file, names: new Set(), mayHold });
          } else {
            const names = await namedFiles({ session, context, table }, [found]);
            inspected.push({
              file,
              names: new Set(names.get(found.path)?.keys()),
              mayHold: found.footer.fields.some(({ id }) => id === ROW_ID),
            });
          }
        }
        return inspected;
      },
    );
  } finally {
    await opened.release();
  }
}

/** Where a column of the predicate is not in the file, its value is anybody's: only what the others rule out is ruled out. */
async function mayHoldRow(
  session: Session,
  table: PlaneTable,
  { found, where }: { readonly found: OpenDelete; readonly where: Predicate },
): Promise<boolean> {
  const rows = new TableRows(table);
  const has = (name: string): boolean => fieldAt(found.footer.fields, rows.column(name).path) !== undefined;
  if (!columnsOf(where).every(has)) return true;
  const condition = rows.where(not(where));
  const [first] = await session.rows(
    `SELECT 1 FROM (${rows.from([found], [], { conditions: [condition] })}) WHERE (${condition.where}) IS NOT TRUE LIMIT 1`,
  );
  return first !== undefined;
}
