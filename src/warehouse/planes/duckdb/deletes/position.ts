import { appendRows } from '../append-rows.ts';
import type { OpenFile } from '../files.ts';
import { relation } from '../sql/relation.ts';
import type { ShapeField } from '../sql/shape.ts';
import { deletesOf, type Hiding, type OpenDelete, PATH_ID, POSITION_ID } from './open-deletes.ts';

/** The columns of a position delete file, by their reserved field ids. */
export const POSITION_COLUMNS: readonly ShapeField[] = [
  { id: PATH_ID, name: 'file_path', shape: { kind: 'leaf', sql: 'VARCHAR' } },
  { id: POSITION_ID, name: 'pos', shape: { kind: 'leaf', sql: 'BIGINT' } },
];

/** Hides the rows that position delete files name, in the data files that they apply to. */
export async function hideByPosition(hiding: Hiding, files: readonly OpenFile[]): Promise<void> {
  if (files.length === 0) return;
  const { session, table, name, context, deletes } = hiding;
  const opened = new Map<string, OpenDelete>();
  for (const file of files) {
    for (const { location } of deletesOf(file, 'position-deletes'))
      opened.set(location, deletes.files.get(location)!);
  }
  const rows = relation(table.table, [...opened.values()], POSITION_COLUMNS);
  const named = await namedFiles(hiding, [...opened.values()]);
  const scope = context.engine.tableName();
  await session.run(`CREATE TEMP TABLE ${scope} (delete VARCHAR, named VARCHAR, data VARCHAR, rows BIGINT)`);
  const pairs = files.flatMap((file) =>
    deletesOf(file, 'position-deletes').flatMap(({ location }) => {
      const by = opened.get(location)!;
      const spelled = named.get(by.path)?.get(context.storage.normalize(file.location)) ?? [];
      return spelled.map((path) => [by.path, path, file.path, file.footer.rows]);
    }),
  );
  await appendRows(session, scope, pairs);
  await session.run(
    `INSERT INTO ${name} SELECT s.data, d.f${POSITION_ID} FROM (${rows}) d JOIN ${scope} s ON d.file = s.delete AND d.f${PATH_ID} = s.named WHERE d.f${POSITION_ID} >= 0 AND d.f${POSITION_ID} < s.rows`,
  );
  await session.run(`DROP TABLE ${scope}`);
}

/**
 * The data files that each delete file names, by the delete file's local path: their location in the storage's normal form, and
 * the spellings it has there. One file can be named by several (`file:/x`, `/x`).
 */
export async function namedFiles(
  { session, context, table }: Pick<Hiding, 'session' | 'context' | 'table'>,
  deletes: readonly OpenDelete[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>> {
  const named = new Map<string, Map<string, string[]>>();
  const rows = relation(table.table, deletes, POSITION_COLUMNS);
  const found = await session.rows(
    `SELECT DISTINCT file, f${PATH_ID} FROM (${rows}) WHERE f${PATH_ID} IS NOT NULL`,
  );
  for (const [file, path] of found as readonly (readonly string[])[]) {
    const of = named.get(file!) ?? new Map<string, string[]>();
    named.set(file!, of);
    const normal = context.storage.normalize(path!);
    of.set(normal, [...(of.get(normal) ?? []), path!]);
  }
  return named;
}
