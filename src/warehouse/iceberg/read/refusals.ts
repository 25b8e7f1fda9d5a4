import type { LoadedTable } from '../../catalog.ts';
import type { DataFile } from '../../data-file.ts';
import { deleteKind } from '../../data-file.ts';
import type { DataPlaneCapabilities } from '../../data-plane.ts';
import type { TableRefusal } from '../../warehouse.ts';
import { ancestors } from '../metadata/ancestors.ts';
import type { TableMetadata } from '../metadata/metadata.ts';
import { partitionType } from '../metadata/partition.ts';
import { garbageCollected, integerProperty } from '../metadata/properties.ts';
import { schemaFields } from '../metadata/schema.ts';

/** No table counts its commits or rows so far; what is left above it is enough for any job. */
const LAST_NUMBER = 2n ** 62n;

/** Why no commit can be made on a table at all. */
export function commitRefusals({ metadata, refusal }: LoadedTable): readonly TableRefusal[] {
  const refusals: TableRefusal[] = refusal === null ? [] : [refusal];
  if (metadata.formatVersion > 2 && metadata.nextRowId === null) {
    refusals.push({
      code: 'row-ids',
      reason: 'its metadata does not say the next row id, which version 3 needs',
      remedy: 'Commit to the table once with the engine that wrote it',
    });
  }
  const numbers = { 'last-sequence-number': metadata.lastSequenceNumber, 'next-row-id': metadata.nextRowId };
  for (const [name, last] of Object.entries(numbers)) {
    if (last !== null && (last < 0n || last > LAST_NUMBER)) {
      refusals.push({
        code: 'damaged-numbers',
        reason: `its metadata is damaged: ${name} is ${last}, from which no commit can count on`,
        remedy:
          'Restore the metadata file from a copy, or point the catalog to an earlier version of the table',
      });
    }
  }
  for (const { fields } of metadata.specs) {
    for (const field of fields) {
      if (field.sourceIds.length !== 1 || partitionType(field, metadata.schemas) === undefined) {
        refusals.push({
          code: 'unknown-transform',
          reason: `the partition transform ${field.transform} is not known`,
          remedy: 'Rewrite the table with a partition spec of the specification',
        });
      }
    }
  }
  return refusals;
}

/** Why some data and delete files of a table cannot be rewritten, besides {@link commitRefusals}. */
export function rewriteRefusals(
  { schema }: TableMetadata,
  files: readonly DataFile[],
  plane: DataPlaneCapabilities,
): readonly TableRefusal[] {
  const refusals: TableRefusal[] = [];
  for (const { path, type } of schemaFields(schema)) {
    if (typeof type === 'string' && !plane.types.includes(type.replace(/\(.*/, ''))) {
      refusals.push({
        code: 'unsupported-type',
        reason: `the column ${path.join('.')} has the type ${type}, which a rewrite would not keep exactly`,
        remedy: 'Use an engine that writes this type',
      });
    }
    if (path.some((name) => name.includes('\0'))) {
      refusals.push({
        code: 'column-name',
        reason: `the column ${JSON.stringify(path.join('.'))} has a name with NUL, which no SQL can say`,
        remedy: 'Rename the column',
      });
    }
  }
  const kinds = new Set(files.filter(({ content }) => content !== 'data').map(deleteKind));
  for (const kind of [...kinds].filter((kind) => !plane.deletes.includes(kind)).sort()) {
    refusals.push({
      code: kind,
      reason: `the table has ${kind.replace('-', ' ')}, which the data plane does not apply`,
      remedy: 'Compact the table with the engine that wrote them, so that none is left',
    });
  }
  const rows = files.filter((file) => file.content === 'data' || deleteKind(file) !== 'deletion-vectors');
  const formats = new Set(rows.map(({ format }) => format));
  for (const format of [...formats].filter((format) => !plane.formats.includes(format)).sort()) {
    refusals.push({
      code: 'file-format',
      reason: `the table has files in ${format}`,
      remedy: 'Rewrite them as Parquet with the engine that wrote them',
    });
  }
  if (files.some(({ keyMetadata }) => keyMetadata !== undefined)) {
    refusals.push({
      code: 'encrypted-file',
      reason: 'the table has data files with encryption keys',
      remedy: 'Rewrite them without encryption, or use the engine that holds the keys',
    });
  }
  return refusals;
}

/** Why no snapshot can be expired and no file removed. */
export function expiryRefusals({ properties }: TableMetadata): readonly TableRefusal[] {
  if (garbageCollected(properties)) return [];
  return [
    {
      code: 'gc-disabled',
      reason: `gc.enabled=${properties['gc.enabled']} turns off garbage collection for the table`,
      remedy: 'Find out which other table shares its files; if none does, set gc.enabled to true',
    },
  ];
}

/** Why an erasure could not end: something keeps the state from before the delete. */
export function erasureRefusals(metadata: TableMetadata): readonly TableRefusal[] {
  const { properties, refs } = metadata;
  const refusals: TableRefusal[] = [...expiryRefusals(metadata)];
  const keep = integerProperty(properties, KEEP, 1);
  if (keep > 1) {
    refusals.push({
      code: 'keeps-snapshots',
      reason: `${KEEP}=${keep} keeps the snapshot from before the delete`,
      remedy: `Set ${KEEP} to 1`,
    });
  }
  for (const id of staged(metadata)) {
    refusals.push({
      code: 'staged-snapshot',
      reason: `snapshot ${id} is staged: a write that waits to be published would be lost`,
      remedy: 'Publish it, or expire it by its id, with the engine that staged it',
    });
  }
  for (const [name, ref] of refs) {
    if (name !== 'main') {
      refusals.push({
        code: 'branch-or-tag',
        ref: name,
        reason: `the ${ref.type} ${name} keeps snapshot ${ref.snapshotId}`,
        remedy: `Drop the ${ref.type} ${name}, or decide on it in [erasure.decisions]`,
      });
    } else if ((ref.minSnapshotsToKeep ?? 1) > 1 || ref.maxSnapshotAgeMs !== undefined) {
      refusals.push({
        code: 'keeps-snapshots',
        reason: 'the branch main has a retention of its own, which keeps the snapshot from before the delete',
        remedy: 'Remove min-snapshots-to-keep and max-snapshot-age-ms from the branch main',
      });
    }
  }
  return refusals;
}

/**
 * Snapshots of writes that are published once they are audited (`wap.id`), and were not yet: no branch or tag has them, nor a commit
 * that took their rows. Every other snapshot that no branch or tag has is over and done with.
 */
function staged({ snapshots, refs }: TableMetadata): readonly bigint[] {
  const waiting = snapshots.filter(({ summary }) => summary['wap.id'] !== undefined);
  if (waiting.length === 0) return [];
  const published = new Set(snapshots.map(({ summary }) => summary['published-wap-id']));
  const byId = new Map(snapshots.map((snapshot) => [snapshot.id, snapshot]));
  const held = new Set([...refs.values()].flatMap(({ snapshotId }) => ancestors(byId, snapshotId)));
  return waiting.filter((one) => !held.has(one) && !published.has(one.summary['wap.id'])).map(({ id }) => id);
}

const KEEP = 'history.expire.min-snapshots-to-keep';
