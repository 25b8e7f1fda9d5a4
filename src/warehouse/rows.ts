import { or } from '../predicate/index.ts';
import type { Predicate } from '../predicate/predicate.ts';
import type { Storage } from '../storage/storage.ts';
import { type BeginAttempt, type CommitParts, commitLoop, type Planned } from './commit-loop.ts';
import { type DataFile, fileKey } from './data-file.ts';
import type { DataPlane, PlaneChange, PlaneFile } from './data-plane.ts';
import { deleteKeepers, looseDeletes, vectorNeighbours } from './deletes.ts';
import type { SelectedFile, TableState } from './table-format.ts';
import type { Changed, CommitNote, Rows, RowWork } from './warehouse.ts';

/** What row work needs. */
export interface RowParts extends CommitParts {
  readonly plane: DataPlane;
  readonly storage: Storage;
}

/** What {@link changeRows} does. */
export interface RowChanging {
  readonly table: string;
  readonly work: RowWork;
  readonly note: CommitNote;
}

/** Deletes rows and clears columns in one commit; none where nothing matches. */
export async function changeRows(parts: RowParts, { table, work, note }: RowChanging): Promise<Changed> {
  const { result } = await commitLoop(parts, {
    table,
    kind: 'change',
    stage: async (state, attempt) => {
      const rewritten = await rewriteRows(state, parts, { work, attempt });
      return staged(state, attempt, { rewritten, written: [], note });
    },
  });
  return result;
}

/** What {@link addRows} does. With `work`, rows that it removes are replaced. */
export interface RowAdding {
  readonly table: string;
  readonly rows: Rows;
  readonly work: RowWork | null;
  readonly note: CommitNote;
}

/** Adds rows, and removes those they replace, in one commit. They are written once, whatever races follow. */
export async function addRows(parts: RowParts, { table, rows, work, note }: RowAdding): Promise<Changed> {
  let written: readonly DataFile[] | undefined;
  const { result } = await commitLoop(parts, {
    table,
    kind: work === null ? 'append' : 'overwrite',
    stage: async (state, attempt) => {
      written ??= await parts.plane.write(state.planeTable(), rows, await attempt());
      const rewritten = work === null ? NOTHING : await rewriteRows(state, parts, { work, attempt });
      return staged(state, attempt, { rewritten, written, note });
    },
    kept: () => (written ?? []).map(({ location }) => location),
  });
  return result;
}

interface Staging {
  readonly rewritten: Rewritten;
  readonly written: readonly DataFile[];
  readonly note: CommitNote;
}

async function staged(
  state: TableState,
  attempt: BeginAttempt,
  { rewritten, written, note }: Staging,
): Promise<Planned<Changed>> {
  const { removed, filesRemoved, rowsDeleted, rowsCleared } = rewritten;
  const added = [...written, ...rewritten.added];
  const snapshotBefore = state.loaded.metadata.currentSnapshotId;
  const nothing = added.length === 0 && removed.size === 0;
  const commit = nothing ? null : await (await attempt()).stageRows(state, { added, removed, note });
  return {
    commit,
    result: {
      snapshotBefore,
      snapshotAfter: commit?.snapshotId ?? snapshotBefore,
      rowsDeleted,
      rowsCleared,
      rowsAdded: written.reduce((rows, { recordCount }) => rows + Number(recordCount), 0),
      filesAdded: added.length,
      filesRemoved,
    },
  };
}

/** Data files that take the place of others, and what that means in rows. */
interface Rewritten {
  readonly added: readonly DataFile[];
  /** Data files, and delete files that nobody needs any more. */
  readonly removed: ReadonlySet<string>;
  /** Of these, the data files. */
  readonly filesRemoved: number;
  readonly rowsDeleted: number;
  readonly rowsCleared: number;
}

interface Rewriting {
  readonly work: RowWork;
  readonly attempt: BeginAttempt;
}

/**
 * Carries out row work on a state. Files that metadata proves to hold nothing but rows to delete go without being read (rule
 * R6); files that may hold some are handed to the data plane; all others are not touched. Delete files that nobody needs
 * afterwards go in the same commit.
 */
async function rewriteRows(state: TableState, parts: RowParts, rewriting: Rewriting): Promise<Rewritten> {
  const { plane } = parts;
  const { work } = rewriting;
  const dropped = await wholeFiles(state, work.delete);
  const gone = new Set(dropped.map(({ file }) => file.location));
  const touched = (await touchedFiles(state, plane, work)).filter(({ file }) => !gone.has(file.location));
  const changed = await rewriteFiles(state, plane, { ...rewriting, files: touched });
  const change =
    work.physically === true ? await withNeighbours(state, plane, { ...rewriting, gone, changed }) : changed;
  const removed = new Set([...gone, ...change.removed]);
  const loose =
    removed.size === 0 && work.physically !== true ? [] : await looseDeletes(state, parts, removed);
  return {
    added: change.added,
    removed: new Set([...removed, ...loose.map(fileKey)]),
    filesRemoved: removed.size,
    rowsDeleted: dropped.reduce((rows, { file }) => rows + Number(file.recordCount), change.rowsDeleted),
    rowsCleared: change.rowsCleared,
  };
}

/** Hands files to the data plane, once it is sure to keep all else that is in them. */
async function rewriteFiles(
  state: TableState,
  plane: DataPlane,
  { files, work, attempt }: Rewriting & { readonly files: readonly PlaneFile[] },
): Promise<PlaneChange> {
  if (files.length === 0) return UNCHANGED;
  state.assertRewritable(
    files.flatMap(({ file, deletes }) => [file, ...deletes]),
    plane.capabilities,
  );
  return plane.change(state.planeTable(), files, work, await attempt());
}

interface Neighbouring extends Rewriting {
  readonly gone: ReadonlySet<string>;
  readonly changed: PlaneChange;
}

/** A change, and with it the data files that would keep the name of a removed one in a shared Puffin file. */
async function withNeighbours(
  state: TableState,
  plane: DataPlane,
  { gone, changed, ...rewriting }: Neighbouring,
): Promise<PlaneChange> {
  const neighbours = await vectorNeighbours(state, new Set([...gone, ...changed.removed]));
  const files = neighbours.map((file) => ({ ...file, compact: true }));
  const more = await rewriteFiles(state, plane, { ...rewriting, files });
  return {
    added: [...changed.added, ...more.added],
    removed: [...changed.removed, ...more.removed],
    rowsDeleted: changed.rowsDeleted + more.rowsDeleted,
    rowsCleared: changed.rowsCleared + more.rowsCleared,
  };
}

const UNCHANGED: PlaneChange = { added: [], removed: [], rowsDeleted: 0, rowsCleared: 0 };

/** Files whose every row is to be deleted. One with delete files is read, to count the rows that are really there. */
async function wholeFiles(state: TableState, where: Predicate | undefined): Promise<readonly SelectedFile[]> {
  if (where === undefined) return [];
  const files = await state.files({ where });
  return files.filter(({ whole, deletes }) => whole && deletes.length === 0);
}

/** Files that may hold a row to delete or clear; physically, also those that keep a delete file with such a row alive. */
async function touchedFiles(
  state: TableState,
  plane: DataPlane,
  work: RowWork,
): Promise<readonly PlaneFile[]> {
  const where = touchedRows(work);
  const matching = await state.files({ where });
  const keepers = work.physically === true ? await deleteKeepers(state, plane, where) : [];
  const compact = new Set(keepers.map(({ file }) => file.location));
  return [
    ...matching.filter(({ file }) => !compact.has(file.location)),
    ...keepers.map((file) => ({ ...file, compact: true })),
  ];
}

function touchedRows({ delete: deleted, clear }: RowWork): Predicate {
  const parts = [...(deleted === undefined ? [] : [deleted]), ...(clear === undefined ? [] : [clear.where])];
  return or(...parts);
}

const NOTHING: Rewritten = { added: [], removed: new Set(), filesRemoved: 0, rowsDeleted: 0, rowsCleared: 0 };
