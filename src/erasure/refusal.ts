/** Why an erasure cannot be carried out on one table, without any value of a person. */
export interface StepRefusal {
  /** The table, or for a dataset that maps to none its namespace and name. */
  readonly table: string;
  /** Stable and lower-case: `gc-disabled`, `keeps-snapshots`, `review`, `missing-table`, `shared-bridge` … */
  readonly code: string;
  readonly reason: string;
  /** The next action, a sentence a person can follow. */
  readonly remedy: string;
}
