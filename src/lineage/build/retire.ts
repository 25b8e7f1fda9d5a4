import type { WriteEdges } from '../lineage.ts';
import type { Said } from './said.ts';
import type { Part, Statement } from './statements.ts';
import type { DatedWrite } from './write.ts';

/** When a table was emptied as a whole, and when it was dropped, as far as completed runs say. */
export interface Emptied {
  readonly at: number;
  readonly dropped: boolean;
}

/**
 * When the statement took all earlier rows out of its table (rule L3). A drop or truncate does once its run completed. An
 * overwrite does only if its run completed, nothing in it failed, output statistics prove the commit, and it replaced the
 * whole table. In doubt it did not: too wide a walk costs a review, a lost edge a person.
 */
export function emptiedBy({ parts }: Statement): Emptied | null {
  // Only a lifecycle facet says that a table was emptied.
  if (parts.every(({ output }) => output.lifecycle.length === 0)) return null;
  const runs = parts.map(({ run }) => run);
  const starts = runs.flatMap((run) => (run.start === null ? [] : [run.start]));
  if (starts.length === 0 || runs.some((run) => run.failed) || !runs.every((run) => run.completed))
    return null;
  const at = Math.min(...starts);
  if (parts.some(({ output }) => output.lifecycle.includes('DROP'))) return { at, dropped: true };
  if (parts.some(({ output }) => output.lifecycle.includes('TRUNCATE'))) return { at, dropped: false };
  return overwritesAll(parts) ? { at, dropped: false } : null;
}

function overwritesAll(parts: readonly Part[]): boolean {
  const writers = parts.filter(({ output }) => !output.statement.wrapper);
  if (writers.length === 0) return false;
  const whole = parts.some(({ output }) => output.statement.wrapper || output.statement.replaces === 'all');
  const partly = writers.some(
    ({ output }) =>
      output.statement.replaces === 'part' && !parts.some((part) => part.output.statement.wrapper),
  );
  const changed = parts.some(
    ({ output }) => output.lifecycle.includes('OVERWRITE') || output.lifecycle.includes('CREATE'),
  );
  const proved = writers.every(
    ({ run, output }) =>
      run.producer.statisticsProveCommit && output.statement.hasStatistics && output.statistics,
  );
  return whole && !partly && changed && proved;
}

/** The writes that are still in effect: all but those that ended before their table was last emptied. */
export function liveWrites(
  writes: readonly DatedWrite[],
  emptied: ReadonlyMap<number, Emptied>,
): readonly DatedWrite[] {
  return writes.filter(({ said, lastSeen }) => {
    const last = emptied.get(said.tableIndex);
    return last === undefined || lastSeen === null || lastSeen >= last.at;
  });
}

/**
 * The writes of the tables that held something else before they were last emptied. Where live writes repeat all that was
 * retired, as those of a job that runs every day do, there is nothing to remember: unless one of them read such a table.
 */
export function retiredWrites(
  writes: readonly DatedWrite[],
  live: readonly DatedWrite[],
): readonly DatedWrite[] {
  if (live.length === writes.length) return [];
  const isLive = new Set(live);
  const liveOf = new Map<number, Set<Said>>();
  for (const { said } of live)
    liveOf.set(said.tableIndex, (liveOf.get(said.tableIndex) ?? new Set()).add(said));
  const retired = writes.filter((write) => !isLive.has(write));
  const isRepeated = (said: Said): boolean =>
    [...(liveOf.get(said.tableIndex) ?? [])].some((other) => other === said || repeats(other, said));
  const gone = [...new Set(retired.map(({ said }) => said))];
  const changed = new Set(gone.flatMap((said) => (isRepeated(said) ? [] : [said.write.table])));
  // A repeated write says the same of other rows, where what it read was something else before.
  for (let size = -1; size < changed.size; ) {
    size = changed.size;
    for (const { write } of gone)
      if (write.inputs.some((input) => changed.has(input))) changed.add(write.table);
  }
  return retired.filter(({ said }) => changed.has(said.write.table));
}

/** Whether a write says all that another one says. */
function repeats({ write }: Said, { write: other }: Said): boolean {
  // What names nothing could have been anything: only the like of it says no less.
  return (
    (other.inputs.length > 0 || write.inputs.length === 0) &&
    write.rowLevel === other.rowLevel &&
    (['inputs', 'repeated', 'opaque', 'mentioned'] as const).every((said) =>
      other[said].every((name) => write[said].includes(name)),
    ) &&
    holdsEdges(write.edges, other.edges)
  );
}

/** Whether all of some edges are among others, with no other roles; both are ordered by their ends. */
function holdsEdges(all: WriteEdges, some: WriteEdges): boolean {
  let at = 0;
  for (let edge = 0; edge < some.from.length; edge++) {
    while (at < all.from.length && (all.to[at] !== some.to[edge] || all.from[at] !== some.from[edge]))
      at += 1;
    if (at === all.from.length || all.roles[at] !== some.roles[edge]) return false;
  }
  return true;
}
