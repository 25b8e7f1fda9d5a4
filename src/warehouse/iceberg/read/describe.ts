import type { LoadedTable } from '../../catalog.ts';
import type { DataPlaneCapabilities } from '../../data-plane.ts';
import type { TableDescription } from '../../warehouse.ts';
import { foldersOf } from '../commit/attempt.ts';
import { snapshotAt } from '../metadata/metadata.ts';
import { columnsOf, nameOf } from '../metadata/schema.ts';
import { commitRefusals, erasureRefusals, rewriteRefusals } from './refusals.ts';
import type { TableReader } from './table-reader.ts';

/** Describes a table's newest state. Rows and files are counted from the manifests, not taken from a summary. */
export async function describeTable(
  loaded: LoadedTable,
  reader: TableReader,
  plane: DataPlaneCapabilities,
): Promise<TableDescription> {
  const { metadata } = loaded;
  const live = await reader.live(snapshotAt(metadata));
  const data = live.filter(({ file }) => file.content === 'data');
  const names = (ids: readonly number[]): readonly string[] =>
    [...new Set(ids)].flatMap((id) => reader.schemas.map((schema) => nameOf(schema, id)).find(Boolean) ?? []);
  return {
    table: loaded.table,
    location: metadata.location,
    folders: foldersOf(metadata),
    format: 'iceberg',
    formatVersion: metadata.formatVersion,
    columns: columnsOf(metadata.schema),
    partitionColumns: names(
      metadata.specs.flatMap(({ fields }) => fields.flatMap(({ sourceIds }) => sourceIds)),
    ),
    sortColumns: names(metadata.sortFieldIds),
    properties: metadata.properties,
    snapshots: metadata.snapshots.map(({ id, parentId, timestamp, operation, summary }) => ({
      id,
      parentId,
      timestamp,
      operation,
      summary,
    })),
    currentSnapshotId: metadata.currentSnapshotId,
    refs: [...metadata.refs].map(([name, { type, snapshotId }]) => ({ name, type, snapshotId })),
    rows: Number(data.reduce((sum, { file }) => sum + file.recordCount, 0n)),
    dataFiles: data.length,
    deleteFiles: live.length - data.length,
    refusals: [
      ...commitRefusals(loaded),
      ...rewriteRefusals(
        metadata,
        live.map(({ file }) => file),
        plane,
      ),
      ...erasureRefusals(metadata),
    ],
  };
}
