import type { EventPlace } from '../lineage.ts';
import type { Producer, Statement } from '../producers.ts';
import type { NumberSet } from './number-sets.ts';

/**
 * What all events of one run say together: run metadata adds up, whatever the order (rule L1b). There is one for each run of a long
 * history, so it holds numbers and what runs share.
 */
export interface Run {
  readonly id: string | null;
  readonly job: number;
  /** The run and job that started this one. */
  parentRun: string | null;
  parentJob: number;
  readonly producer: Producer;
  /** First and last time heard of; null where events carry no time. */
  start: number | null;
  end: number | null;
  completed: boolean;
  failed: boolean;
  /** The producer said that it could not extract everything. */
  incomplete: boolean;
  /** The statement's text, shared by runs that have the same. */
  sql: string | null;
  inputs: NumberSet;
  repeated: NumberSet;
  readonly outputs: RunOutput[];
}

export interface RunOutput {
  readonly dataset: number;
  /** Numbers of edge sets. */
  sets: NumberSet;
  /** A facet spoke of its columns. */
  spoken: boolean;
  /** A facet listed all inputs by itself (the `lineage` facet), so the run's inputs say nothing more. */
  closed: boolean;
  /** Inputs that only the facet names. */
  inputs: NumberSet;
  /** What its lifecycle facets say, without duplicates. */
  lifecycle: readonly string[];
  statistics: boolean;
  statement: Statement;
  /** The first event that says what it is made from, else the first that names it. */
  at: EventPlace | null;
}
