import type { REVIEW_CAUSES } from '../../governance/answers.ts';
import type { ClearColumn } from '../../governance/governance.ts';
import type { EventPlace, NameFinding } from '../../lineage/index.ts';

/**
 * What an erasure of one kind of subject does, table by table (rules L5 and L7): plain data, JSON in and out, without any
 * value of a person. Made by `planErasure`; `digest` is the SHA-256 (hex) of its canonical JSON without the digest.
 */
export interface Plan {
  readonly schemaVersion: 1;
  readonly subject: string;
  readonly digest: string;
  /** Sources first, then derived tables in dependency order; name breaks ties. */
  readonly steps: readonly Step[];
  /** Datasets of the lineage that map to no table (rule L2b). */
  readonly unmapped: readonly Unmapped[];
  /** Tables that no job accounts for and nobody declared (rule L2b). */
  readonly unaccounted: readonly Unaccounted[];
  /** What else a reader of the plan should know; none of it stops the job. */
  readonly findings: readonly PlanFinding[];
}

/** A remark on what the plan was made from. */
export interface PlanFinding {
  /**
   * `needless-decision`: a decision answers causes that the table does not have, or a gap that is none. `unknown-column`: lineage
   * fills a column that the table lacks (rule L1d). `events-skipped`: events could not be read. `gap-declared`: some could not, and
   * `[[gaps]]` says why that is no matter. `gap-outgrown`: it was declared for fewer. The others are those of `nameFindings`.
   * The job refuses `events-skipped` and `shared-table`.
   */
  readonly code:
    | 'needless-decision'
    | 'unknown-column'
    | 'events-skipped'
    | 'gap-declared'
    | 'gap-outgrown'
    | NameFinding['code'];
  readonly table: string | null;
  readonly what: string;
  /** The line of a file that it is about, where there is one; of events the file's own name alone, and their run. */
  readonly at?: EventPlace;
}

export type StepAction = 'delete' | 'keep' | 'clear' | 'rebuild' | 'review' | 'ignore';

/** One table in the plan. */
export interface Step {
  readonly table: string;
  readonly action: StepAction;
  /** Any of them matches a row; empty for `rebuild` and `ignore`. */
  readonly match: readonly Match[];
  /** The first match's column (a composite's names joined by a comma), or null. */
  readonly column: string | null;
  /** The first match's `copyOf`. */
  readonly copyOf: string | null;
  /** Columns to clear in the rows that stay. */
  readonly clear: readonly ClearColumn[];
  /** Beside a delete that clears too: what finds those rows among the ones that stay; else `match` does. */
  readonly clearBy?: readonly Match[];
  /** The job that rebuilds the table, by its OpenLineage name. */
  readonly job: string | null;
  /** The recorded reason of an exception or a decision. */
  readonly reason: string | null;
  readonly decidedBy: string | null;
  /** Why a review is needed; empty elsewhere. */
  readonly causes: readonly Cause[];
  readonly probe: readonly Probe[];
  /** One line with its path through the graph (rule L5h). */
  readonly why: string;
}

/** The columns that together find the person's rows in a table, and where their values come from. */
export interface Match {
  readonly columns: readonly string[];
  /** The declared column at the end of the chain, `crm.learners.learner_id`; null where the columns are declared here. */
  readonly copyOf: string | null;
  readonly values: MatchValues;
}

/**
 * `subject`: the ids of the request. `rows`: a bridge (rule L5b): the values of `columns` in the rows of `table` that
 * the plan's own step for that table matches.
 */
export type MatchValues =
  | { readonly from: 'subject' }
  | { readonly from: 'rows'; readonly table: string; readonly columns: readonly string[] };

/** What lineage could not tell (rule L5g). */
export type CauseCode = (typeof REVIEW_CAUSES)[number];

export interface Cause {
  readonly code: CauseCode;
  /** One line, without any value. */
  readonly what: string;
}

/** A question to the data that helps a person to decide: ready SQL, names quoted, and the same as data, for `runProbes`. */
export interface Probe {
  readonly asks: string;
  readonly sql: string;
  readonly question: Question;
}

/**
 * What a probe counts. `rows`: those of the table. `differing`: those whose keys are not all the same. `known`: those whose
 * column holds, as text, a value of the other table's. `unknown`: those whose key is empty, or not among the other table's.
 * `misplaced`: those whose last column holds a value that no row of the other table has under the same key.
 */
export type Question =
  | { readonly kind: 'rows'; readonly table: string }
  | { readonly kind: 'differing'; readonly table: string; readonly keys: readonly (readonly string[])[] }
  | (Comparing & { readonly kind: 'known' | 'misplaced'; readonly among: TableColumns })
  | (Comparing & { readonly kind: 'unknown'; readonly among: TableColumns | null });

/** Columns of one table. */
export interface TableColumns {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Columns that are compared, one by one, with those of `among`. */
type Comparing = TableColumns;

export interface Unmapped {
  readonly namespace: string;
  readonly name: string;
  /** Tables whose names are near. */
  readonly candidates: readonly string[];
}

export interface Unaccounted {
  /** The table, or for a run that names no output the job. */
  readonly name: string;
  readonly kind: 'table' | 'run';
  readonly why: string;
}
