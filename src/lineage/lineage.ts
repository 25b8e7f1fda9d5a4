/** What OpenLineage events say about columns, read and merged (rules L1 to L3). Built by `readLineage`. */
export interface Lineage {
  readonly edges: readonly Edge[];
  readonly datasets: readonly Dataset[];
  readonly jobs: readonly LineageJob[];
  /** Events read. */
  readonly events: number;
  /** What could not be read, one entry each; the rest was kept. */
  readonly skipped: readonly Skipped[];
}

export interface ColumnRef {
  readonly table: string;
  readonly column: string;
}

/** How one column shaped another (rule L1a). */
export type Role =
  | 'identity'
  | 'transformation'
  | 'transformation-masked'
  | 'aggregation'
  | 'aggregation-masked'
  | 'unknown'
  | 'join'
  | 'group-by'
  | 'filter'
  | 'sort'
  | 'window'
  | 'conditional';

/** An edge from column to column, its roles the union over all events of one job (rule L1b). `*` stands for the whole table. */
export interface Edge {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
  readonly roles: readonly Role[];
  /** `namespace name` of the job that wrote it. */
  readonly job: string;
}

/** A dataset of the events and the table that it became, by rule L2. */
export interface Dataset {
  readonly namespace: string;
  readonly name: string;
  /** Null where it maps to no table. */
  readonly table: string | null;
  /** The rule that mapped it. */
  readonly by: string | null;
}

export interface LineageJob {
  readonly namespace: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface Skipped {
  readonly file: string;
  readonly line: number;
  readonly why: string;
}
