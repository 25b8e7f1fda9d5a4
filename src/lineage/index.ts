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
  EventPlace,
  Lineage,
  LineageJob,
  LineageTable,
  Read,
  Role,
  Skipped,
  Write,
  WriteEdges,
} from './lineage.ts';
export {
  type DatasetNames,
  type DatasetNamesOptions,
  datasetNames,
  type NamedDataset,
} from './names/dataset-names.ts';
export { type NameFinding, nameFindings } from './names/findings.ts';
export { nearestTables } from './names/nearest-tables.ts';
export type { Fetch } from './read/marquez/client.ts';
export { type MarquezEvents, marquezEvents } from './read/marquez/events.ts';
export { type RawEvent, rawEvents, type Unreadable } from './read/raw-events.ts';
export type { LineageSource } from './read/sources.ts';
export { type ReadLineage, readLineage } from './read-lineage.ts';
