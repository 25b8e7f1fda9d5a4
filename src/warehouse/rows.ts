import { or } from '../predicate/index.ts';
import type { Predicate } from '../predicate/predicate.ts';
import { type CommitParts, commitLoop, type Planned } from './commit-loop.ts';
import type { DataPlane } from './data-plane.ts';
import type { DataFile } from './iceberg/manifest/data-file.ts';
import type { FormatAttempt, SelectedFile, TableState } from './table-format.ts';
import type { Changed, CommitNote, Rows, RowWork } from './warehouse.ts';

/** What row work needs. */
export interface RowParts extends CommitParts {
  readonly plane: DataPlane;
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
      const begun = await attempt();
      const rewritten = await rewriteRows(state, parts.plane, work, begun);
      return staged(state, begun, { rewritten, written: [], note });
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
      const begun = await attempt();
      written ??= await parts.plane.write(state.planeTable(), rows, begun);
      const rewritten = work === null ? NOTHING : await rewriteRows(state, parts.plane, work, begun);
      const specId = state.loaded.metadata.defaultSpecId;
      return staged(state, begun, { rewritten, written: written.map((file) => ({ ...file, specId })), note });
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
  attempt: FormatAttempt,
  { rewritten, written, note }: Staging,
): Promise<Planned<Changed>> {
  const { removed, rowsDeleted, rowsCleared } = rewritten;
  const added = [...written, ...rewritten.added];
  const snapshotBefore = state.loaded.metadata.currentSnapshotId;
  const nothing = added.length === 0 && removed.size === 0;
  const commit = nothing ? null : await attempt.stageRows(state, { added, removed, note });
  return {
    commit,
    result: {
      snapshotBefore,
      snapshotAfter: commit?.snapshotId ?? snapshotBefore,
      rowsDeleted,
      rowsCleared,
      rowsAdded: written.reduce((rows, { recordCount }) => rows + Number(recordCount), 0),
      filesAdded: added.length,
      filesRemoved: removed.size,
    },
  };
}

/** Data files that take the place of others, and what that means in rows. */
interface Rewritten {
  readonly added: readonly DataFile[];
  readonly removed: ReadonlySet<string>;
  readonly rowsDeleted: number;
  readonly rowsCleared: number;
}

/**
 * Carries out row work on a state. Files that metadata proves to hold nothing but rows to delete go without being read (rule
 * R6); files that may hold some are handed to the data plane; all others are not touched.
 */
async function rewriteRows(
  state: TableState,
  plane: DataPlane,
  work: RowWork,
  attempt: FormatAttempt,
): Promise<Rewritten> {
  const dropped = await wholeFiles(state, work.delete);
  const gone = new Set(dropped.map(({ file }) => file.location));
  const touched = (await state.files({ where: touchedRows(work) })).filter(
    ({ file }) => !gone.has(file.location),
  );
  const change =
    touched.length === 0
      ? { added: [], removed: [], rowsDeleted: 0, rowsCleared: 0 }
      : await plane.change(state.planeTable(), touched, work, attempt);
  return {
    added: change.added,
    removed: new Set([...gone, ...change.removed]),
    rowsDeleted: dropped.reduce((rows, { file }) => rows + Number(file.recordCount), change.rowsDeleted),
    rowsCleared: change.rowsCleared,
  };
}

/** Files whose every row is to be deleted. One with delete files is read, to count the rows that are really there. */
async function wholeFiles(state: TableState, where: Predicate | undefined): Promise<readonly SelectedFile[]> {
  if (where === undefined) return [];
  const files = await state.files({ where });
  return files.filter(({ whole, deletes }) => whole && deletes.length === 0);
}

function touchedRows({ delete: deleted, clear }: RowWork): Predicate {
  const parts = [...(deleted === undefined ? [] : [deleted]), ...(clear === undefined ? [] : [clear.where])];
  return or(...parts);
}

const NOTHING: Rewritten = { added: [], removed: new Set(), rowsDeleted: 0, rowsCleared: 0 };
