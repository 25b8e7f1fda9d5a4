import type { ColumnDefinition, Warehouse } from 'lethe/warehouse';
import type { NewRow } from './arrow.ts';

/** A job that builds one table from others: what it does, and what a producer of lineage would say about it. */
export interface Pipeline {
  /** The job's OpenLineage name. */
  readonly job: string;
  readonly table: string;
  readonly columns: readonly ColumnDefinition[];
  readonly inputs: readonly string[];
  /** `overwrite` replaces all rows of its table; `recreate` drops the table and makes it again. */
  readonly writes: 'overwrite' | 'recreate';
  readonly lineage: PipelineLineage;
  build(warehouse: Warehouse): Promise<readonly NewRow[]>;
}

/** Where each column comes from, and what decides which rows there are. */
export interface PipelineLineage {
  readonly columns: Readonly<Record<string, readonly Source[]>>;
  readonly rows: readonly Source[];
}

/** `schema.table.column` and how it was used, in OpenLineage's terms. */
export type Source = readonly [column: string, ...how: readonly Use[]];

export type Use = 'IDENTITY' | 'TRANSFORMATION' | 'AGGREGATION' | 'COUNT' | 'JOIN' | 'GROUP_BY' | 'FILTER';
