export type {
  CatalogSetting,
  ClientCredentials,
  DeclaredPlaces,
  DirectoryCatalogSetting,
  RestCatalogSetting,
  SqlCatalogSetting,
} from './catalogs/settings.ts';
export { describeAll } from './describe-all.ts';
export { type IcebergSettings, openIceberg } from './iceberg/open.ts';
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
