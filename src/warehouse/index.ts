export type {
  CatalogSetting,
  ClientCredentials,
  DeclaredPlaces,
  DirectoryCatalogSetting,
  RestCatalogSetting,
  SqlCatalogSetting,
} from './catalogs/settings.ts';
export type { DataFile, FileMetrics } from './data-file.ts';
export type {
  DataPlane,
  DataPlaneCapabilities,
  InspectedDelete,
  PlaneChange,
  PlaneFile,
  PlaneRead,
  PlaneTable,
  WriteTarget,
} from './data-plane.ts';
export { describeAll } from './describe-all.ts';
export { type IcebergSettings, openIceberg } from './iceberg/open.ts';
export type { PartitionField, PartitionSpec } from './partition-spec.ts';
export type { Field, IcebergType, ListType, MapType, Schema, StructType } from './schema.ts';
export type {
  Changed,
  Column,
  ColumnBounds,
  ColumnDefinition,
  CommitNote,
  Expired,
  ExpireOptions,
  FileEntry,
  PartitionDefinition,
  PurgedVersions,
  PurgeOptions,
  ReadAt,
  ReadOptions,
  Ref,
  Rows,
  RowWork,
  Scrubbed,
  Snapshot,
  Swept,
  TableDefinition,
  TableDescription,
  TableRefusal,
  Tuple,
  Warehouse,
} from './warehouse.ts';
