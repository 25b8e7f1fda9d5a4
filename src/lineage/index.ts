export {
  type ColumnEdge,
  type ColumnGraph,
  type ColumnNode,
  columnGraph,
  columnKey,
  downstream,
} from './graph.ts';
export type {
  ColumnRef,
  ColumnTable,
  Dataset,
  DatasetRule,
  Edge,
  Lineage,
  LineageJob,
  LineageTable,
  Read,
  Role,
  Skipped,
  Write,
  WriteEdges,
} from './lineage.ts';
export type { LineageSource } from './read/sources.ts';
export { type ReadLineage, readLineage } from './read-lineage.ts';
