import type { Place } from '../errors.ts';
import type { Instant } from '../values/time.ts';

/** What OpenLineage events say about columns, read and merged (rules L1 to L3). Built by `readLineage`. */
export interface Lineage {
  /**
   * All live edges, those of several writes of one job merged (rule L1b). Made anew on every access, from {@link writes}:
   * keep the array where it is used more than once.
   */
  readonly edges: readonly Edge[];
  readonly datasets: readonly Dataset[];
  readonly jobs: readonly LineageJob[];
  /** Every table that events name, with what they say about it. */
  readonly tables: readonly LineageTable[];
  /** One entry for each way in which a job wrote a table, without those that rule L3 retired. */
  readonly writes: readonly Write[];
  /**
   * What rule L3 retired and no live write repeats. It says nothing of what its table holds now, and all of what was made from
   * that table before.
   */
  readonly retired: readonly Write[];
  /** Runs that name inputs and no output: a copy to somewhere unknown, or a reader (rule L2b). */
  readonly reads: readonly Read[];
  /** The names behind the numbers in {@link Write.edges}. */
  readonly columns: ColumnTable;
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
  /** The rule that mapped it: `datasets`, `patterns`, `symlink`, `naming`, `ignored`, `job`; null where none did. */
  readonly by: DatasetRule | null;
  /** Where `lineage.toml` names it; for the rules `datasets`, `patterns` and `ignored`. */
  readonly declared?: Place;
  /** Its name as the events have it, where the table's differs from it in case alone (hazard 30). */
  readonly written?: string;
  /** Why its symlinks could not be followed, where they contradict each other, and the event that has the last of them. */
  readonly doubt?: string;
  readonly doubtAt?: EventPlace;
}

/** Where an event stands; lines count from 1. */
export interface EventPlace {
  readonly file: string;
  readonly line: number;
  /** The run of the event, by which its producer's log has it; left out where it names none. */
  readonly run?: string;
}

export type DatasetRule = 'datasets' | 'patterns' | 'symlink' | 'naming' | 'ignored' | 'job';

export interface LineageJob {
  readonly namespace: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** What events say about a table. A dataset that maps to none stands here under `namespace name`. */
export interface LineageTable {
  readonly table: string;
  readonly mapped: boolean;
  /** From schema facets, which may be partial (rule L1d), in their order. */
  readonly columns: readonly { readonly name: string; readonly type?: string }[];
  /** A view holds no rows of its own. */
  readonly view: boolean;
  /** A drop was the last thing that happened to it. */
  readonly dropped: boolean;
  /** When all earlier rows were last taken out of it (rule L3); null where no event says so. */
  readonly emptiedAt: Instant | null;
}

/**
 * What a statement did to a table: the runs of one job that recorded the same edges, with the sibling runs of the same
 * statement (a CREATE TABLE AS is two runs). Sources are judged write by write: what one statement covers says nothing about
 * another.
 */
export interface Write {
  readonly table: string;
  /** `namespace name` of the job that runs again to repeat it: the parent job where the engine names statements. */
  readonly job: string;
  /** Tables and other datasets that it read, by name, sorted. The table itself where it read itself. */
  readonly inputs: readonly string[];
  /** Inputs that one event names twice. */
  readonly repeated: readonly string[];
  /**
   * No event lists what it read, although its producer names every input, once for each time that it is read: an input may
   * have been read twice.
   */
  readonly unlisted: boolean;
  /** Inputs that may have given anything: no facet speaks of them (rules L1c and L1f). */
  readonly opaque: readonly string[];
  /** A merge, update or delete, which changes rows in place (rule L1f). */
  readonly rowLevel: boolean;
  /** The producer names columns by parsing a SELECT (rule L1g). */
  readonly parsed: boolean;
  /**
   * The producer marks with `filter` the join columns of a side whose unmatched rows are dropped; a join column without
   * that mark may be the kept side of an outer join.
   */
  readonly marksDroppedRows: boolean;
  /** Whether running it again replaces the whole table, or adds to it. */
  readonly replaces: 'all' | 'part' | 'unknown';
  readonly ended: 'complete' | 'failed' | 'open';
  readonly edges: WriteEdges;
  /** Table names that its SQL text mentions more than once. Only ever makes an answer more careful. */
  readonly mentioned: readonly string[];
  readonly runs: number;
  /** When the oldest of its runs began; null where events carry no time. */
  readonly firstSeen: Instant | null;
  /** Of the oldest of its runs the first event that says what the table is made from, else the first that names it. */
  readonly firstAt: EventPlace | null;
  /** The newest of its runs and when that one was last heard of; null where events carry no time. */
  readonly lastRun: string | null;
  readonly lastSeen: Instant | null;
  /** The same of the newest run. */
  readonly lastAt: EventPlace | null;
}

/** Edges as parallel arrays of numbers: a column of {@link ColumnTable} each, and a mask of roles. */
export interface WriteEdges {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly roles: Uint16Array;
}

/** Columns by number. Column `*` stands for the whole table. */
export interface ColumnTable {
  readonly tableNames: readonly string[];
  readonly names: readonly string[];
  /** Column to the index of its table in `tableNames`. */
  readonly tables: Int32Array;
}

export interface Read {
  readonly job: string;
  readonly inputs: readonly string[];
}

export interface Skipped {
  readonly file: string;
  readonly line: number;
  /** The run of the event, where it could be read. */
  readonly run: string | null;
  readonly why: string;
}
