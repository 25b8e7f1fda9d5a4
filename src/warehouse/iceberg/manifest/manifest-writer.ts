import { stringifyJson } from '../../../values/json.ts';
import type { DataFile } from '../../data-file.ts';
import type { PartitionSpec } from '../../partition-spec.ts';
import type { PrimitiveType, Schema } from '../../schema.ts';
import { type AvroRecord, type AvroSchema, type AvroValue, writeAvro } from '../avro/index.ts';
import { partitionType } from '../metadata/partition.ts';
import { schemaJson } from '../metadata/schema.ts';
import type { FileEntry } from './manifest.ts';
import type { ManifestEntry } from './manifest-list.ts';
import { summarize } from './partition-summary.ts';
import { partitionAvro, partitionAvroType } from './partition-value.ts';
import { optional } from './record.ts';

/** A file that is to be written into a manifest. Without sequence numbers it inherits the commit's own. */
export type NewEntry =
  | { readonly status: 'added'; readonly snapshotId: bigint; readonly file: DataFile }
  | (FileEntry & { readonly status: 'existing' | 'deleted' });

/** What {@link writeManifest} writes. */
export interface ManifestContent {
  readonly path: string;
  readonly content: 'data' | 'deletes';
  readonly spec: PartitionSpec;
  /** The current schema first. */
  readonly schemas: readonly Schema[];
  readonly entries: readonly NewEntry[];
  readonly snapshotId: bigint;
  readonly sequenceNumber: bigint;
  readonly formatVersion: number;
  readonly sync: Uint8Array;
}

/**
 * Writes a manifest of format version 1, 2 or 3, and says what its list must say of it. Entries of deleted files carry no bounds: they
 * would keep an erased person's values in the table (hazard 19).
 */
export function writeManifest(content: ManifestContent): {
  readonly bytes: Uint8Array;
  readonly entry: ManifestEntry;
} {
  const { spec, schemas, entries, formatVersion, sync } = content;
  const types = spec.fields.map(
    (field) => partitionType(field, schemas) ?? unknownTransform(field.transform),
  );
  const bytes = writeAvro({
    schema: manifestSchema(spec, types, formatVersion),
    metadata: {
      schema: stringifyJson(schemaJson(schemas[0]!)),
      'schema-id': String(schemas[0]!.id),
      'partition-spec': JSON.stringify(spec.fields.map(specFieldJson)),
      'partition-spec-id': String(spec.id),
      'format-version': String(formatVersion),
      ...(formatVersion > 1 ? { content: content.content } : {}),
    },
    records: entries.map((entry) => recordOf(entry, spec, types)),
    codec: 'deflate',
    sync,
  });
  return { bytes, entry: listEntry(content, types, BigInt(bytes.length)) };
}

function unknownTransform(transform: string): never {
  throw new TypeError(`the transform ${transform} is not known, so its table is not changed`);
}

function specFieldJson(field: PartitionSpec['fields'][number]): Record<string, unknown> {
  return {
    'source-id': field.sourceIds[0],
    'field-id': field.fieldId,
    name: field.name,
    transform: field.transform,
  };
}

function listEntry(content: ManifestContent, types: readonly PrimitiveType[], length: bigint): ManifestEntry {
  const { entries, snapshotId, sequenceNumber } = content;
  const live = entries.filter(({ status }) => status !== 'deleted');
  const of = (status: string): readonly NewEntry[] => entries.filter((entry) => entry.status === status);
  const rows = (some: readonly NewEntry[]): bigint =>
    some.reduce((sum, { file }) => sum + file.recordCount, 0n);
  const [added, existing, deleted] = [of('added'), of('existing'), of('deleted')];
  return {
    path: content.path,
    length,
    specId: content.spec.id,
    content: content.content,
    sequenceNumber,
    minSequenceNumber: live.reduce<bigint>((least, entry) => {
      const own = 'sequenceNumber' in entry ? entry.sequenceNumber : sequenceNumber;
      if (own < least) return own;
      return least;
    }, sequenceNumber),
    addedSnapshotId: snapshotId,
    counts: {
      addedFiles: added.length,
      existingFiles: existing.length,
      deletedFiles: deleted.length,
      addedRows: rows(added),
      existingRows: rows(existing),
      deletedRows: rows(deleted),
    },
    partitions: summarize(
      types,
      live.map(({ file }) => file.partition),
    ),
  };
}

/** Required in version 1, where nobody reads it; Java writes the same. */
const BLOCK_SIZE = 67_108_864n;

const STATUS = { existing: 0, added: 1, deleted: 2 } as const;
const CONTENT = { data: 0, 'position-deletes': 1, 'equality-deletes': 2 } as const;

function recordOf(entry: NewEntry, spec: PartitionSpec, types: readonly PrimitiveType[]): AvroRecord {
  const { status, snapshotId, file } = entry;
  const partition = spec.fields.map(({ name }, index) => [
    avroName(name),
    partitionAvro(types[index]!, file.partition[index] ?? null),
  ]);
  return {
    status: STATUS[status],
    snapshot_id: snapshotId,
    sequence_number: status === 'added' ? null : entry.sequenceNumber,
    file_sequence_number: status === 'added' ? null : entry.fileSequenceNumber,
    data_file: {
      content: CONTENT[file.content],
      file_path: file.location,
      file_format: file.format.toUpperCase(),
      partition: Object.fromEntries(partition) as AvroRecord,
      record_count: file.recordCount,
      file_size_in_bytes: file.fileSize,
      block_size_in_bytes: BLOCK_SIZE,
      ...metricsRecord(file, status !== 'deleted'),
      key_metadata: file.keyMetadata ?? null,
      split_offsets: file.splitOffsets ?? null,
      equality_ids: file.equalityIds ?? null,
      sort_order_id: file.sortOrderId ?? null,
      first_row_id: file.firstRowId ?? null,
      referenced_data_file: file.referencedDataFile ?? null,
      content_offset: file.contentOffset ?? null,
      content_size_in_bytes: file.contentSize ?? null,
    },
  };
}

function metricsRecord({ metrics }: DataFile, bounds: boolean): AvroRecord {
  return {
    column_sizes: orNull(metrics.columnSizes),
    value_counts: orNull(metrics.valueCounts),
    null_value_counts: orNull(metrics.nullCounts),
    nan_value_counts: orNull(metrics.nanCounts),
    lower_bounds: bounds ? orNull(metrics.lowerBounds) : null,
    upper_bounds: bounds ? orNull(metrics.upperBounds) : null,
  };
}

function orNull(map: ReadonlyMap<number, AvroValue>): AvroValue {
  return map.size === 0 ? null : map;
}

function manifestSchema(
  spec: PartitionSpec,
  types: readonly PrimitiveType[],
  formatVersion: number,
): AvroSchema {
  return {
    type: 'record',
    name: 'manifest_entry',
    fields: [
      { name: 'status', type: 'int', 'field-id': 0 },
      ...(formatVersion === 1
        ? [{ name: 'snapshot_id', type: 'long', 'field-id': 1 } as const]
        : [
            optional('snapshot_id', 1, 'long'),
            optional('sequence_number', 3, 'long'),
            optional('file_sequence_number', 4, 'long'),
          ]),
      { name: 'data_file', type: dataFileSchema(spec, types, formatVersion), 'field-id': 2 },
    ],
  };
}

function dataFileSchema(
  spec: PartitionSpec,
  types: readonly PrimitiveType[],
  formatVersion: number,
): AvroSchema {
  return {
    type: 'record',
    name: 'r2',
    fields: [
      ...(formatVersion > 1 ? [{ name: 'content', type: 'int', 'field-id': 134 } as const] : []),
      { name: 'file_path', type: 'string', 'field-id': 100 },
      { name: 'file_format', type: 'string', 'field-id': 101 },
      {
        name: 'partition',
        type: {
          type: 'record',
          name: 'r102',
          fields: spec.fields.map(({ name, fieldId }, index) =>
            optional(avroName(name), fieldId, partitionAvroType(types[index]!, fieldId)),
          ),
        },
        'field-id': 102,
      },
      { name: 'record_count', type: 'long', 'field-id': 103 },
      { name: 'file_size_in_bytes', type: 'long', 'field-id': 104 },
      ...(formatVersion === 1
        ? [{ name: 'block_size_in_bytes', type: 'long', 'field-id': 105 } as const]
        : []),
      optional('column_sizes', 108, mapSchema([117, 118], 'long')),
      optional('value_counts', 109, mapSchema([119, 120], 'long')),
      optional('null_value_counts', 110, mapSchema([121, 122], 'long')),
      optional('nan_value_counts', 137, mapSchema([138, 139], 'long')),
      optional('lower_bounds', 125, mapSchema([126, 127], 'bytes')),
      optional('upper_bounds', 128, mapSchema([129, 130], 'bytes')),
      optional('key_metadata', 131, 'bytes'),
      optional('split_offsets', 132, { type: 'array', 'element-id': 133, items: 'long' }),
      ...(formatVersion > 1
        ? [optional('equality_ids', 135, { type: 'array', 'element-id': 136, items: 'int' })]
        : []),
      optional('sort_order_id', 140, 'int'),
      ...(formatVersion === 3 ? [optional('first_row_id', 142, 'long')] : []),
      ...(formatVersion > 1 ? [optional('referenced_data_file', 143, 'string')] : []),
      ...(formatVersion === 3
        ? [optional('content_offset', 144, 'long'), optional('content_size_in_bytes', 145, 'long')]
        : []),
    ],
  };
}

function mapSchema([keyId, valueId]: readonly [number, number], value: AvroSchema): AvroSchema {
  return {
    type: 'array',
    logicalType: 'map',
    items: {
      type: 'record',
      name: `k${keyId}_v${valueId}`,
      fields: [
        { name: 'key', type: 'int', 'field-id': keyId },
        { name: 'value', type: value, 'field-id': valueId },
      ],
    },
  };
}

/** A name that Avro allows; readers go by the field id. */
function avroName(name: string): string {
  const allowed = name.replace(
    /[^A-Za-z0-9_]/gu,
    (char) => `_x${char.codePointAt(0)!.toString(16).toUpperCase()}`,
  );
  return /^[0-9]/.test(allowed) ? `_${allowed}` : allowed;
}
