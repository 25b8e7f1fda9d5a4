import * as z from 'zod';
import { type AppendLog, appendLog } from '../../storage/log/append-log.ts';
import { readLines } from '../../storage/log/read-lines.ts';
import type { Plan } from '../plan/plan.ts';
import type { VersionCounts } from './evidence.ts';

const count = z.int().nonnegative();
const table = z.string();
const snapshotId = z.string().regex(/^-?\d+$/);

/** One event of a job, written and synced before what depends on it. Snapshot ids are text. No value of a person. */
const event = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('start'),
    schemaVersion: z.literal(1),
    request: z.string(),
    subject: z.string(),
    day: z.string(),
    /** The whole plan, which names no person: it cannot be made again while a rebuild has its table away. */
    plan: z.custom<Plan>((given) => typeof given === 'object' && given !== null && 'digest' in given),
    /** What decisions let stay, for the evidence. */
    mentions: z.array(z.strictObject({ table, column: z.string(), rows: count })),
  }),
  /** Written before a table's first change: the snapshot that must not be readable at the end. */
  z.strictObject({ kind: z.literal('before'), table, snapshotId: snapshotId.nullable() }),
  z.strictObject({ kind: z.literal('changed'), table, rows: count, rowsCleared: count }),
  z.strictObject({ kind: z.literal('rebuilt'), table }),
  z.strictObject({
    kind: z.literal('purged'),
    table,
    noncurrent: count,
    deleteMarkers: count,
    uploads: count,
    left: count,
    why: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal('proved'), digest: z.string(), clean: z.boolean() }),
]);

export type JournalEvent = z.infer<typeof event>;
export type JournalStart = Extract<JournalEvent, { kind: 'start' }>;

/** What a damaged file of a job means. */
export const BROKEN = {
  code: 'journal/broken-line',
  remedy:
    'Restore the file from its last good copy, or use the version of Lethe that wrote it: what the job had done is known only there',
} as const;

/**
 * The journal of one job (rule E4): what was begun and done, so that a job that was killed goes on where it was. Only the one job that
 * runs in its folder adds to it.
 */
export class Journal {
  readonly #log: AppendLog;
  readonly #events: JournalEvent[];

  private constructor(log: AppendLog, events: readonly JournalEvent[]) {
    this.#log = log;
    this.#events = [...events];
  }

  /** The journal at `path`; null where no job has started. Throws `journal/broken-line` where it is damaged. */
  static async open(path: string): Promise<Journal | null> {
    const log = logAt(path);
    const lines = (await log.read()) ?? [];
    const read = (parsed: unknown): JournalEvent | null => event.safeParse(parsed).data ?? null;
    const events = readLines({ name: path, lines, read, broken: BROKEN });
    return events[0]?.kind === 'start' ? new Journal(log, events) : null;
  }

  static async start(path: string, start: JournalStart): Promise<Journal> {
    const journal = new Journal(logAt(path), []);
    await journal.add(start);
    return journal;
  }

  /** Durable when this returns. */
  async add(added: JournalEvent): Promise<void> {
    await this.#log.add(() => [JSON.stringify(added)]);
    this.#events.push(added);
  }

  get start(): JournalStart {
    return this.#events[0] as JournalStart;
  }

  /** The snapshot before the job's first change of a table; undefined where there was none yet. */
  before(name: string): { readonly snapshotId: bigint | null } | undefined {
    const found = this.#of('before').find((each) => each.table === name);
    return found && { snapshotId: found.snapshotId === null ? null : BigInt(found.snapshotId) };
  }

  /** Rows deleted and cleared in all runs of the job; undefined where none got so far. */
  changed(name: string): { readonly rows: number; readonly rowsCleared: number } | undefined {
    const all = this.#of('changed').filter((each) => each.table === name);
    if (all.length === 0) return undefined;
    return {
      rows: all.reduce((sum, each) => sum + each.rows, 0),
      rowsCleared: all.reduce((sum, each) => sum + each.rowsCleared, 0),
    };
  }

  /** What all runs removed of old versions, and what the last one left; undefined where none got so far. */
  purged(name: string): VersionCounts | undefined {
    const all = this.#of('purged').filter((each) => each.table === name);
    const last = all.at(-1);
    if (last === undefined) return undefined;
    const sum = (of: 'noncurrent' | 'deleteMarkers' | 'uploads'): number =>
      all.reduce((total, each) => total + each[of], 0);
    return {
      noncurrent: sum('noncurrent'),
      deleteMarkers: sum('deleteMarkers'),
      uploads: sum('uploads'),
      left: last.left,
      why: last.why,
    };
  }

  isRebuilt(name: string): boolean {
    return this.#of('rebuilt').some((each) => each.table === name);
  }

  /** The last evidence that the job wrote. */
  get proved(): { readonly digest: string; readonly clean: boolean } | undefined {
    return this.#of('proved').at(-1);
  }

  #of<K extends JournalEvent['kind']>(kind: K): readonly Extract<JournalEvent, { kind: K }>[] {
    return this.#events.filter((each): each is Extract<JournalEvent, { kind: K }> => each.kind === kind);
  }
}

function logAt(path: string): AppendLog {
  return appendLog(path, { locked: null });
}
