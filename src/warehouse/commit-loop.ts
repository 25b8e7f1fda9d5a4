import { FailedError, LetheError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { Catalog, LoadedTable, TableCommit } from './catalog.ts';
import { unclaimed } from './claims.ts';
import { assertNoneHidden } from './hidden-metadata.ts';
import type { FormatAttempt, TableFormat, TableState, TableWork } from './table-format.ts';

/** What a change needs to be planned, committed, and planned again. */
export interface CommitParts {
  readonly catalog: Catalog;
  readonly format: TableFormat;
  readonly storage: Storage;
}

/** Begins the try in which files are written, once, and writes down with it which files go once it is committed. */
export type BeginAttempt = (removing?: readonly string[]) => Promise<FormatAttempt>;

/** One change of one table. */
export interface Work<T> {
  readonly table: string;
  readonly kind: TableWork;
  /** Plans on a state. A commit of null means that there is nothing to do, and nothing is changed. */
  stage(state: TableState, attempt: BeginAttempt): Promise<Planned<T>>;
  /** Files that a lost race does not spoil, to be committed with the next try. */
  kept?(): readonly string[];
  /** What follows the commit; what it throws is thrown, but the commit stands. */
  settle?(result: T, after: TableState): Promise<T>;
}

export interface Planned<T> {
  readonly commit: TableCommit | null;
  readonly result: T;
}

/** What a change came to, and the state after it. */
export interface Done<T> {
  readonly result: T;
  readonly after: TableState;
}

/** Commits of others that a change may lose to before it gives up. */
const MOST_TRIES = 100;

/**
 * Plans a change on the newest state and commits it; where another writer was first, plans again on the state that made (rule
 * E6). What a lost or failed try has written is removed (hazard 38).
 *
 * @throws FailedError `warehouse/lost-race` after 100 races, and whatever planning throws
 */
export async function commitLoop<T>(parts: CommitParts, work: Work<T>): Promise<Done<T>> {
  const { catalog, format } = parts;
  let attempt: FormatAttempt | undefined;
  let cleared = false;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      let state = format.open(await catalog.load(work.table));
      state.assertAllowed(work.kind);
      if (!cleared) {
        await assertNoneHidden(catalog, work.table);
        await clearDead(parts, work.table, state);
        cleared = true;
      }
      const planned = await work.stage(state, async (removing = []) => {
        if (attempt === undefined) attempt = await format.begin(state, removing);
        else await attempt.removing(removing);
        return attempt;
      });
      if (planned.commit !== null) {
        const committed = await commit(catalog, work.table, planned.commit);
        if (committed === null) {
          await attempt?.again(work.kept?.() ?? []);
          continue;
        }
        // Whatever fails from here on, its files are the table's.
        const won = attempt;
        attempt = undefined;
        state = format.open(committed, state);
        return await settled(work, won, { result: planned.result, after: state });
      }
      await attempt?.lost();
      return { result: planned.result, after: state };
    } catch (cause) {
      if (!isUnknown(cause)) await attempt?.lost();
      throw cause;
    }
  }
  await attempt?.lost();
  throw new FailedError('warehouse/lost-race', `${work.table} changes faster than it can be changed`, {
    remedy: 'Run again when fewer writers are at work on it',
    data: { table: work.table, tries: MOST_TRIES },
  });
}

/** Removes what killed processes left of this table. */
export async function clearDead(parts: CommitParts, table: string, state: TableState): Promise<void> {
  const { catalog, format } = parts;
  await format.clearDeadAttempts(state, {
    reload: async () => format.open(await catalog.load(table)),
    unclaimed: (files) => unclaimed(files, { ...parts, table }),
  });
}

async function settled<T>(
  { settle }: Work<T>,
  attempt: FormatAttempt | undefined,
  { result, after }: Done<T>,
): Promise<Done<T>> {
  try {
    const final = settle === undefined ? result : await settle(result, after);
    await attempt?.won();
    return { result: final, after };
  } catch (cause) {
    attempt?.left();
    throw cause;
  }
}

/** The state that a commit made, null where another writer was first. */
async function commit(catalog: Catalog, table: string, change: TableCommit): Promise<LoadedTable | null> {
  try {
    return await catalog.commit(table, change);
  } catch (cause) {
    if (cause instanceof LetheError && cause.code === 'catalog/conflict') return null;
    if (isUnknown(cause) || isGone(cause)) throw cause;
    const landed = await landedState(catalog, table, change);
    if (landed === null) throw cause;
    return landed;
  }
}

/**
 * A commit can land although it reports an error (hazard 44), also where the answer is one that is refused: a redirect, a place outside
 * of the warehouse. So the table itself is asked before its files are removed.
 */
async function landedState(
  catalog: Catalog,
  table: string,
  change: TableCommit,
): Promise<LoadedTable | null> {
  const id = change.updates.find((update) => update.action === 'add-snapshot')?.snapshot['snapshot-id'];
  if (id === undefined) return null;
  try {
    const loaded = await catalog.load(table);
    return loaded.metadata.snapshots.some((snapshot) => snapshot.id === id) ? loaded : null;
  } catch (cause) {
    throw new FailedError(
      'warehouse/unknown-outcome',
      `Whether the commit on ${table} was made cannot be told`,
      {
        remedy: 'Make the catalog reachable and run again: the files of this try are kept until then',
        data: { table },
        cause,
      },
    );
  }
}

/** There is no table of that name, so none can be asked. */
function isGone(cause: unknown): boolean {
  return cause instanceof LetheError && GONE.has(cause.code);
}

const GONE: ReadonlySet<string> = new Set(['catalog/renamed', 'warehouse/no-such-table']);

function isUnknown(cause: unknown): boolean {
  return cause instanceof LetheError && cause.code === 'warehouse/unknown-outcome';
}
