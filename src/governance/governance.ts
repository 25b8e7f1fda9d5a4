import type { Place } from '../errors.ts';
import type { Predicate } from '../predicate/predicate.ts';
import type { IdType } from '../values/id.ts';
import type { Period } from '../values/period.ts';
import type { Day } from '../values/time.ts';

/** What the governance files declare, read and checked: the input of every later stage. Built by `loadGovernance`. */
export interface Governance {
  /** Table to its rules; a row is due when any of them says so. */
  readonly retention: ReadonlyMap<string, readonly RetentionRule[]>;
  readonly snapshots: SnapshotSettings;
  readonly files: { readonly minAgeHours: number };
  readonly statistics: StatisticsSettings;
  /** Kind of subject (`learner`) to how its people are known. */
  readonly subjects: ReadonlyMap<string, Subject>;
  /** Table to the exception that keeps its rows. */
  readonly exceptions: ReadonlyMap<string, ErasureException>;
  /** Table to what people decided where lineage cannot tell: several where they answer different questions. */
  readonly decisions: ReadonlyMap<string, readonly ErasureDecision[]>;
  /** Table to its owner, key and classifications. */
  readonly metadata: ReadonlyMap<string, TableMetadata>;
  readonly purposes: ReadonlyMap<string, Purpose>;
  readonly names: LineageNames;
}

/** One retention rule of one table (design section 3). */
export interface RetentionRule {
  readonly table: string;
  /** Exactly one of the two: whole days, or a calendar period. */
  readonly keep: { readonly days: number } | { readonly period: Period };
  readonly countedFrom: string;
  /** The declared format of a text column (`dd-MM-yyyy`). */
  readonly format?: string;
  readonly onlyWhen?: Predicate;
  readonly countedFromEndOf?: 'year' | 'quarter' | 'month';
  /** IANA zone in which an instant falls on a day. */
  readonly timeZone: string;
  /** Which way a substitute date errs: said for readers of the file. */
  readonly errs?: 'early' | 'late';
  readonly at: Place;
}

export interface SnapshotSettings {
  readonly maxAgeDays: number;
  readonly minToKeep: number;
  readonly metadataVersionsToKeep?: number;
}

/** An Iceberg metrics mode: `none`, `counts`, `truncate(16)`, `full`. */
export type MetricsMode = string;

/** What a column may hold; what nobody classified is `unclassified`. */
export type Classification = 'public' | 'internal' | 'personal' | 'sensitive';

export interface StatisticsSettings {
  readonly personal: MetricsMode;
  readonly sensitive: MetricsMode;
  readonly unclassified: MetricsMode;
}

/** A kind of person. */
export interface Subject {
  readonly name: string;
  readonly idType: IdType;
  /** Each a column name, or the names of a composite id, in order. */
  readonly idColumns: readonly (readonly string[])[];
  readonly identifying: readonly QualifiedColumn[];
  readonly at: Place;
}

/** A column of a table, by names. */
export interface QualifiedColumn {
  readonly table: string;
  readonly column: string;
}

/** A recorded reason to keep the rows of a table (GDPR 17(3)). */
export interface ErasureException {
  readonly table: string;
  readonly reason: string;
  readonly decidedBy: string;
  readonly eraseColumns: readonly ClearColumn[];
  readonly legalBasis?: string;
  readonly reviewBy?: Day;
  readonly subjects?: readonly string[];
  readonly covers: readonly string[];
  readonly at: Place;
}

/** A column to clear and what takes its value's place: null, a constant, or a keyed token. */
export interface ClearColumn {
  readonly column: string;
  readonly with:
    | { readonly kind: 'null' }
    | { readonly kind: 'constant'; readonly value: string }
    | { readonly kind: 'token' };
}

/** What a person decided where lineage cannot tell. */
export interface ErasureDecision {
  readonly table: string;
  readonly answers: readonly string[];
  readonly action: 'delete' | 'rebuild' | 'clear' | 'ignore';
  readonly by: readonly string[];
  readonly columns: readonly ClearColumn[];
  /** Branch or tag to what is done with it. */
  readonly refs: ReadonlyMap<string, 'drop'>;
  readonly reason: string;
  readonly decidedBy: string;
  readonly at: Place;
}

export interface TableMetadata {
  readonly table: string;
  readonly owner?: string;
  /** The columns that name one row. */
  readonly key: readonly string[];
  readonly columns: ReadonlyMap<string, ColumnMetadata>;
  readonly at: Place;
}

export interface ColumnMetadata {
  readonly classification: Classification;
  /** The kind of subject that this column identifies under another name. */
  readonly identifies?: string;
  readonly at: Place;
}

/** One use of personal data that needs consent (design section 4). */
export interface Purpose {
  readonly name: string;
  readonly subject: string;
  readonly table: string;
  readonly attribute: string;
  readonly also?: Predicate;
  readonly records?: string;
  readonly groundsForErasure: boolean;
  readonly at: Place;
}

/** `lineage.toml`: how datasets of events become tables of the warehouse (rule L2). */
export interface LineageNames {
  readonly datasets: readonly DatasetName[];
  readonly patterns: readonly DatasetPattern[];
  /** Tables that no job makes (exact or with `*`), with who says so. */
  readonly sources: ReadonlyMap<string, string>;
  readonly ignored: readonly IgnoredDataset[];
  readonly readers: readonly DeclaredReader[];
  /** Events that are known to be missing. */
  readonly gaps: readonly DeclaredGap[];
}

export interface DatasetName {
  readonly namespace: string;
  readonly name: string;
  readonly table: string;
  readonly at: Place;
}

export interface DatasetPattern {
  readonly namespace: string;
  readonly name: string;
  readonly table: string;
  readonly at: Place;
}

export interface IgnoredDataset {
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
  readonly at: Place;
}

export interface DeclaredReader {
  readonly name: string;
  readonly reason: string;
  readonly at: Place;
}

/** Events of a file that could not be read, and why a plan holds without them. */
export interface DeclaredGap {
  /** The end of the file's path, or a pattern with `*`. */
  readonly file: string;
  /** How many events or parts of events at most. */
  readonly skipped: number;
  readonly reason: string;
  readonly decidedBy: string;
  readonly at: Place;
}
