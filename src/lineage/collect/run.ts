import type { Producer, Statement } from '../producers.ts';

/** What all events of one run say together: run metadata adds up, whatever the order (rule L1b). */
export interface Run {
  readonly id: string | null;
  readonly job: number;
  /** The run and job that started this one. */
  parentRun: string | null;
  parentJob: number;
  producer: Producer;
  /** First and last time heard of; null where events carry no time. */
  start: number | null;
  end: number | null;
  completed: boolean;
  failed: boolean;
  /** The producer said that it could not extract everything. */
  incomplete: boolean;
  sql: string | null;
  readonly inputs: Set<number>;
  readonly repeated: Set<number>;
  readonly outputs: Map<number, RunOutput>;
}

export interface RunOutput {
  /** Numbers of edge sets. */
  readonly sets: Set<number>;
  /** A facet spoke of its columns. */
  spoken: boolean;
  /** A facet listed all inputs by itself (the `lineage` facet), so the run's inputs say nothing more. */
  closed: boolean;
  /** Inputs that only the facet names. */
  readonly inputs: Set<number>;
  readonly lifecycle: Set<string>;
  statistics: boolean;
  statement: Statement;
}
