import { quoteText } from '../../../../predicate/index.ts';
import { deleteKind } from '../../../data-file.ts';
import type { PlaneTable } from '../../../data-plane.ts';
import type { Context } from '../context.ts';
import { fileError, mayBeAFile } from '../errors.ts';
import type { OpenFile } from '../files.ts';
import { pattern } from '../sql/relation.ts';
import { hideByEquality } from './equality.ts';
import { type OpenDeletes, openDeletes } from './open-deletes.ts';
import { hideByPosition } from './position.ts';
import { hideByVector } from './vector.ts';

/** The rows of some data files that their delete files hide. */
export interface HiddenRows {
  /** The DuckDB table of `file` (the local path) and `pos` that lists them. */
  readonly name: string;
  /** How many of each file, by its local path. */
  readonly counts: ReadonlyMap<string, bigint>;
  release(): Promise<void>;
}

/**
 * Lists the rows that delete files of every kind hide in data files: once, so that whatever reads the files afterwards only leaves
 * them out. Null where no file comes with deletes.
 *
 * @throws FailedError `plane/file-gone`, `plane/file-damaged`, `plane/file-mismatch` naming a delete file
 * @throws RefusedError `plane/format` for a delete file that is neither Parquet nor Puffin, `plane/delete-columns`
 */
export async function hideRows(
  context: Context,
  table: PlaneTable,
  all: readonly OpenFile[],
): Promise<HiddenRows | null> {
  const files = all.filter(({ given }) => given.deletes.length > 0);
  if (files.length === 0) return null;
  const of = (kind: string): readonly OpenFile[] =>
    files.filter(({ given }) => given.deletes.some((file) => deleteKind(file) === kind));
  const doing = { doing: 'applying the deletes of', table: table.table };
  const name = context.engine.tableName();
  const drop = (): Promise<void> =>
    context.engine.session(doing, (session) => session.run(`DROP TABLE IF EXISTS ${name}`));
  const deletes = await openDeletes(context, table, files);
  try {
    return await context.engine.session(doing, async (session) => {
      await session.run(`CREATE TABLE ${name} (file VARCHAR, pos BIGINT)`);
      const into = { context, session, table, name, deletes };
      await hideByVector(into, of('deletion-vectors'));
      await hideByPosition(into, of('position-deletes'));
      await hideByEquality(into, of('equality-deletes'));
      const counted = await session.rows(`SELECT file, count(DISTINCT pos) FROM ${name} GROUP BY file`);
      const counts = new Map(counted.map(([file, rows]) => [file as string, rows as bigint]));
      return { name, counts, release: drop };
    });
  } catch (error) {
    await drop();
    throw await blameDelete(context, table, { deletes, error });
  } finally {
    await deletes.release();
  }
}

/** What to throw where a statement over several delete files failed: the one that cannot be read, if it is one; else `error`. */
async function blameDelete(
  { engine }: Context,
  { table }: PlaneTable,
  { deletes, error }: { readonly deletes: OpenDeletes; readonly error: unknown },
): Promise<unknown> {
  if (!mayBeAFile(error)) return error;
  for (const { path, location } of deletes.files.values()) {
    const read = `SELECT max(hash(COLUMNS(*))) FROM read_parquet([${quoteText('duckdb', pattern(path))}], hive_partitioning = false)`;
    const failure = await engine.session({ doing: 'reading', table }, (session) =>
      session.rows(read).then(
        () => null,
        (found: unknown) => found,
      ),
    );
    if (failure === null || !mayBeAFile(failure)) continue;
    const why = 'its pages cannot be read as its footer says';
    return fileError('file-damaged', { table, file: location, why });
  }
  return error;
}
