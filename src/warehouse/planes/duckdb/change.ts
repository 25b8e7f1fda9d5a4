import { FailedError } from '../../../errors.ts';
import { never } from '../../../predicate/index.ts';
import type { DataFile } from '../../data-file.ts';
import type { PlaneChange, PlaneFile, PlaneTable, WriteTarget } from '../../data-plane.ts';
import type { RowWork } from '../../warehouse.ts';
import { atOnce, dealt } from './at-once.ts';
import { type Clearing, changes, cleared, clearings } from './clear.ts';
import type { Context } from './context.ts';
import type { Engine, Session } from './engine.ts';
import { blame, fileGroups, type OpenFile, withHiddenRows } from './files.ts';
import { type Lineage, lineageOf } from './lineage.ts';
import { TableRows } from './rows.ts';
import type { Condition } from './sql/condition.ts';
import { floatIds } from './sql/negative-zero.ts';
import type { LocalFile } from './sql/relation.ts';
import { requireKept } from './sql/shape.ts';
import { Written } from './written.ts';

/** The work on one table, compiled. */
interface Work {
  readonly rows: TableRows;
  readonly delete: Condition;
  readonly clear: Condition;
  readonly clearings: readonly Clearing[];
  readonly physically: boolean;
}

/** Gives each use a session of its own. */
type Sessions = <T>(use: (session: Session) => Promise<T>) => Promise<T>;

interface Finding {
  readonly engine: Engine;
  readonly sessions: Sessions;
  readonly work: Work;
}

interface Counted {
  readonly deleted: bigint;
  readonly cleared: bigint;
}

/** A file that holds rows to delete or clear. */
interface Hit extends Counted {
  readonly file: OpenFile;
}

const NONE = { deleted: 0n, cleared: 0n };

/**
 * Deletes rows and clears columns, copy-on-write: one query finds the files that hold such a row, each of these is written
 * once without them, and a file that loses all its rows is not written at all. Rows for which a predicate is unknown stay
 * as they are; the order of rows is kept. Files are worked on side by side, those that must be copied first as many as there is space
 * for.
 *
 * The rows of every new file must agree with what was found (`plane/count-mismatch`); where anything fails, no new file is left.
 */
export async function changeRows(
  context: Context,
  table: PlaneTable,
  options: { readonly files: readonly PlaneFile[]; readonly work: RowWork; readonly target: WriteTarget },
): Promise<PlaneChange> {
  const { engine } = context;
  const doing = { doing: 'changing rows of', table: table.table };
  const sessions: Sessions = (use) => engine.session(doing, use);
  const work = await sessions((session) => compile(session, table, options.work));
  const written = new Written(context, table, options.target);
  return written.orNothing(async () => {
    const done: PlaneChange[] = [];
    for await (const { files } of fileGroups(context, table, options.files)) {
      try {
        const hits = await find({ engine, sessions, work }, files);
        const added = await atOnce(engine.threads, hits, (hit) =>
          sessions((session) => rewrite(session, work, { hit, written })),
        );
        done.push(result(hits, added));
      } catch (error) {
        throw await blame(context, table, { files, error });
      }
    }
    return together(done);
  });
}

function result(hits: readonly Hit[], added: readonly (DataFile | null)[]): PlaneChange {
  const sum = (of: (hit: Hit) => bigint): number => Number(hits.reduce((total, hit) => total + of(hit), 0n));
  return {
    added: added.filter((file) => file !== null),
    removed: hits.map(({ file }) => file.location),
    rowsDeleted: sum((hit) => hit.deleted),
    rowsCleared: sum((hit) => hit.cleared),
  };
}

function together(done: readonly PlaneChange[]): PlaneChange {
  const sum = (of: (change: PlaneChange) => number): number =>
    done.reduce((total, change) => total + of(change), 0);
  return {
    added: done.flatMap(({ added }) => added),
    removed: done.flatMap(({ removed }) => removed),
    rowsDeleted: sum(({ rowsDeleted }) => rowsDeleted),
    rowsCleared: sum(({ rowsCleared }) => rowsCleared),
  };
}

async function compile(session: Session, table: PlaneTable, work: RowWork): Promise<Work> {
  requireKept(table.schema);
  const rows = new TableRows(table);
  const { clear } = work;
  return {
    rows,
    delete: rows.where(work.delete ?? never()),
    clear: rows.where(clear === undefined || clear.columns.length === 0 ? never() : clear.where),
    clearings: clear === undefined ? [] : await clearings(session, rows, clear.columns),
    physically: work.physically === true,
  };
}

/**
 * The files to write again. Physically, those too whose only such rows are hidden by delete files: what a reader does not
 * see is still there (hazard 37).
 */
async function find(finding: Finding, files: readonly OpenFile[]): Promise<readonly Hit[]> {
  const { work } = finding;
  const seen = await counts(finding, files);
  const covered = files.filter((file) => file.hidden !== undefined && !seen.has(file.path));
  const unseen = work.physically ? await counts(finding, withHiddenRows(covered)) : new Map();
  return files.flatMap((file) => {
    const found = seen.get(file.path);
    if (found !== undefined) return [{ file, ...found }];
    return unseen.has(file.path) || file.given.compact === true ? [{ file, ...NONE }] : [];
  });
}

/** Rows to delete and to clear, for each file that has some; the files are dealt out to the threads. */
async function counts(
  { engine, sessions, work }: Finding,
  files: readonly LocalFile[],
): Promise<ReadonlyMap<string, Counted>> {
  const hands = dealt(engine.threads, files, ({ footer }) => footer.rows);
  const found = await atOnce(engine.threads, hands, (some) =>
    sessions((session) => countsIn(session, work, some)),
  );
  return new Map(found.flat());
}

async function countsIn(
  session: Session,
  work: Work,
  files: readonly LocalFile[],
): Promise<readonly (readonly [string, Counted])[]> {
  const counted = await session.rows(countQuery(work, files));
  return counted.map(([file, deleted, cleared]) => [
    file as string,
    { deleted: deleted as bigint, cleared: cleared as bigint },
  ]);
}

/** The file, and its rows to delete and to clear, for files with some. Each condition is worked out once: one of many ids is a join. */
function countQuery({ rows, clearings, ...work }: Work, files: readonly LocalFile[]): string {
  const clearedIds = clearings.map(({ column }) => column.path[0]!.id);
  const from = rows.from(files, clearedIds, { conditions: [work.delete, work.clear] });
  const deleted = work.delete.where;
  if (clearings.length === 0)
    return `SELECT file, count(*), 0::BIGINT FROM (${from}) WHERE ${deleted} GROUP BY file`;
  const cleared = `(${work.clear.where}) AND ${changes(clearings)}`;
  return `SELECT file, count(*) FILTER (WHERE d), count(*) FILTER (WHERE NOT d) FROM (SELECT file, (${deleted}) IS TRUE AS d, ${cleared} AS c FROM (${from})) WHERE d OR c GROUP BY file`;
}

/** The file in place of another, null where no row is left. */
async function rewrite(
  session: Session,
  work: Work,
  { hit, written }: { readonly hit: Hit; readonly written: Written },
): Promise<DataFile | null> {
  const { file, deleted } = hit;
  const left = file.footer.rows - file.hiddenRows - deleted;
  if (left === 0n) return null;
  const { specId, partition, sortOrderId } = file.given.file;
  const rest = { specId, partition, ...(sortOrderId === undefined ? {} : { sortOrderId }) };
  const lineage = lineageOf(file);
  const query = remaining(work, file, lineage);
  const whole = work.rows.from(withHiddenRows([file]), floatIds(work.rows.fields), { conditions: [] });
  const added = await written.add(session, { query, whole, rest, extra: lineage.fields });
  const rows = added?.recordCount ?? 0n;
  if (rows === left) return added;
  throw new FailedError(
    'plane/count-mismatch',
    `The new file in place of ${file.location} of ${work.rows.table.table} holds ${rows} rows where ${left} should be left`,
    {
      remedy: 'Nothing was changed; run again, and check the disk if it happens twice',
      data: { table: work.rows.table.table, file: file.location, rows, left },
    },
  );
}

/** The rows of a file that stay, in their order, with what is to be cleared replaced. */
function remaining(work: Work, file: OpenFile, lineage: Lineage): string {
  const { rows, clearings } = work;
  const all = rows.fields.map(({ id }) => id);
  const touched = new Set(clearings.map(({ column }) => column.path[0]!.id));
  const columns = rows.fields.map((field) => {
    const value = `f${field.id}`;
    if (!touched.has(field.id)) return value;
    return `CASE WHEN ${work.clear.where} THEN ${cleared(field, clearings)} ELSE ${value} END AS ${value}`;
  });
  const from = rows.from([file], all, {
    conditions: [work.delete, work.clear],
    ordered: true,
    extra: lineage.fields,
  });
  const moved = lineage.values(
    clearings.length === 0 ? 'FALSE' : `(${work.clear.where}) AND ${changes(clearings)}`,
  );
  return `SELECT ${[...columns, ...moved].join(', ')} FROM (${from}) WHERE (${work.delete.where}) IS NOT TRUE`;
}
