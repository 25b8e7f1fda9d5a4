import type { PersonHash } from '../../register/entry.ts';
import type { Mention } from '../../scan/index.ts';
import type { Day } from '../../values/time.ts';
import type { StepAction } from '../plan/plan.ts';

/**
 * What an erasure leaves as proof (rule E8): ids of requests, keyed hashes, counts that were read, and reasons; never a
 * value of the person. A plain document, `schemaVersion` 1, whose canonical JSON is hashed and chained to the evidence
 * before it. 64-bit snapshot ids are text.
 */
export interface Evidence {
  readonly schemaVersion: 1;
  readonly request: string;
  /** The kind of subject, `learner`. */
  readonly subject: string;
  readonly day: Day;
  /** The age from which files that no metadata names were removed, `72h`. */
  readonly minAge: string;
  readonly planDigest: string;
  /** What became of that plan before the job ended; null where nothing did. */
  readonly planSince: {
    /** The digest of the plan by then. */
    readonly digest: string;
    /** Tables that came into it: the scan looked into them, and the job changed nothing there. */
    readonly added: readonly string[];
    /** Tables that were no longer there. */
    readonly gone: readonly string[];
  } | null;
  /** True where nothing was changed: what would be done, and the files as they are. */
  readonly dryRun: boolean;
  /** When the job ended (ISO 8601), where the caller passed a clock. */
  readonly finishedAt: string | null;
  /** How many ids and texts the scan looked for. */
  readonly searched: { readonly ids: number; readonly texts: number };
  readonly register: readonly PersonHash[];
  /** The tables of the plan, in its order. */
  readonly tables: readonly EvidenceTable[];
  /** What the scan read outside the tables of the plan: other tables, and folders that no table claims. */
  readonly elsewhere: readonly ReadFiles[];
  readonly totals: EvidenceTotals;
  /** Files that no metadata names and that were too young to remove, with the instant from which they can go. */
  readonly young: readonly YoungFile[];
  /** Rows of other people whose text names the person, which a decision lets stay. */
  readonly mentions: readonly Mention[];
  /** Copies outside the warehouse. */
  readonly copies: readonly never[];
  /** Whom to tell. */
  readonly recipients: readonly never[];
  /** SHA-256 of the canonical JSON of this document without `digest`. */
  readonly digest: string;
  /** The digest of the evidence before this one; null for the first. */
  readonly previous: string | null;
}

/** What was done to one table, and what is left of the person in it. */
export interface EvidenceTable extends ReadFiles {
  readonly action: StepAction;
  /** Rows deleted. */
  readonly rows: number;
  /** Columns that were cleared in the rows that stay. */
  readonly cleared: readonly string[];
  readonly rowsCleared: number;
  /** The job that rebuilt it. */
  readonly job: string | null;
  readonly reason: string | null;
  readonly decidedBy: string | null;
  readonly snapshotBefore: string | null;
  readonly snapshotAfter: string | null;
  /** Snapshots that a reader can still travel to, the current one aside. */
  readonly snapshotsLeft: number;
  /** What happened when the snapshot before the erasure was read afterwards; null where it is still the current one. */
  readonly timeTravel: TimeTravel | null;
  readonly refs: readonly {
    readonly name: string;
    readonly type: 'branch' | 'tag';
    readonly snapshotId: string;
  }[];
  readonly deleteFilesLeft: number;
  /** Files under its location that no metadata names. */
  readonly unreferenced: number;
  /** Old versions removed from a versioned bucket (rule E5); null where the storage keeps none. */
  readonly versions: VersionCounts | null;
  /** Generated properties that it lacks (rule P2). */
  readonly propertiesMissing: readonly string[];
}

/** What was removed of what a versioned bucket keeps (rule E5), and what a listing found left. */
export interface VersionCounts {
  /** Bytes of files from before they were replaced or removed. */
  readonly noncurrent: number;
  /** Names of removed files. */
  readonly deleteMarkers: number;
  /** Uploads that were never finished. */
  readonly uploads: number;
  /** Still there; the scan reads them as it reads files. */
  readonly left: number;
  /** What the storage said of those: `AccessDenied`. */
  readonly why: readonly string[];
}

/** What the scan read in one place. */
export interface ReadFiles {
  /** The table, or the location of a folder that no table claims. */
  readonly table: string;
  readonly filesRead: number;
  readonly filesHolding: number;
  readonly notProven: number;
  readonly unread: readonly { readonly file: string; readonly why: string }[];
}

/** An attempt to read the snapshot from before the erasure, and the code of its refusal. */
export interface TimeTravel {
  readonly snapshotId: string;
  readonly refused: boolean;
  readonly code: string | null;
}

export interface EvidenceTotals {
  /** Rows deleted: a result only together with `filesHolding` and `notProven` 0 (rule E7). */
  readonly rows: number;
  readonly filesRead: number;
  readonly filesHolding: number;
  readonly notProven: number;
  /** Files that hold only traces which another person shares (rule S3). */
  readonly filesShared: number;
}

export interface YoungFile {
  readonly table: string;
  readonly file: string;
  /** ISO 8601. */
  readonly sweepableFrom: string;
}

/** Whether the person is gone: a read found nothing, and everything could be read (rule E7). */
export function isClean({ totals, tables }: Evidence): boolean {
  const readable = tables.some((table) => table.timeTravel !== null && !table.timeTravel.refused);
  return totals.filesHolding === 0 && totals.notProven === 0 && !readable;
}
