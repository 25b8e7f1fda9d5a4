import { always } from '../../../predicate/index.ts';
import type { LoadedTable } from '../../catalog.ts';
import type { PlaneTable } from '../../data-plane.ts';
import type { Schema } from '../../schema.ts';
import type { FileSelection, SelectedFile } from '../../table-format.ts';
import { deleteScope } from './delete-scope.ts';
import { fileExtent, manifestExtent, partitionExtent } from './extent.ts';
import { allMatch, mayMatch, pruner } from './prune.ts';
import type { TableReader } from './table-reader.ts';

/**
 * The data files of a snapshot that can hold a row for which `where` is true, with the delete files that apply to each. Manifests
 * whose partitions rule that out are not opened: their delete files apply in those partitions only, and what has no partition is
 * never ruled out.
 */
export async function selectFiles(
  reader: TableReader,
  { where = always(), snapshotId }: FileSelection,
): Promise<readonly SelectedFile[]> {
  const { specs } = reader.metadata;
  const outcomesOf = pruner(where, { schema: schemaAt(reader, snapshotId), specs });
  const live = await reader.live(reader.snapshot(snapshotId), (manifest) =>
    mayMatch(outcomesOf(manifestExtent(manifest))),
  );
  const deletesOf = deleteScope(
    live.filter(({ file }) => file.content !== 'data'),
    specs,
  );
  const selected: SelectedFile[] = [];
  for (const entry of live) {
    if (entry.file.content !== 'data') continue;
    const { file, sequenceNumber } = entry;
    if (!mayMatch(outcomesOf(fileExtent(file)))) continue;
    const whole = allMatch(outcomesOf(partitionExtent(file)));
    selected.push({ file, sequenceNumber, deletes: deletesOf(entry), whole });
  }
  return selected;
}

/** What a data plane must know of a table, by the schema of a snapshot where one is asked for. */
export function planeTableOf(
  { table, metadata }: LoadedTable,
  reader: TableReader,
  snapshotId?: bigint,
): PlaneTable {
  const partitioned = metadata.specs.flatMap(({ fields }) => fields.flatMap(({ sourceIds }) => sourceIds));
  return {
    table,
    schema: schemaAt(reader, snapshotId),
    properties: metadata.properties,
    structuralFieldIds: [...new Set([...partitioned, ...metadata.sortFieldIds])],
    sortFieldIds: metadata.defaultSortFieldIds,
    partitioning: metadata.specs.find(({ id }) => id === metadata.defaultSpecId)!,
    identities: new Map(
      metadata.specs.map(({ id, fields }) => [
        id,
        fields.map(({ transform, sourceIds }) => (transform === 'identity' ? sourceIds[0]! : null)),
      ]),
    ),
    olderSchemas: [...metadata.schemas].sort((a, b) => b.id - a.id),
  };
}

/** The schema a snapshot was written with; the current one where none is asked for or it is not recorded. */
function schemaAt(reader: TableReader, snapshotId: bigint | undefined): Schema {
  const { schemas, schema } = reader.metadata;
  const id = snapshotId === undefined ? null : (reader.snapshot(snapshotId)?.schemaId ?? null);
  return schemas.find((candidate) => candidate.id === id) ?? schema;
}
