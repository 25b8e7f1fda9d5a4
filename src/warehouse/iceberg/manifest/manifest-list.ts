import { type AvroField, type AvroRecord, type AvroSchema, readAvro, writeAvro } from '../avro/index.ts';
import { damaged } from '../metadata/damaged.ts';
import { optional, RecordReader } from './record.ts';

/** What a manifest list says of one manifest (field ids 500 to 520 of the specification). */
export interface ManifestEntry {
  readonly path: string;
  readonly length: bigint;
  readonly specId: number;
  readonly content: 'data' | 'deletes';
  readonly sequenceNumber: bigint;
  readonly minSequenceNumber: bigint;
  readonly addedSnapshotId: bigint;
  /** Null where version 1 did not count. */
  readonly counts: ManifestCounts | null;
  readonly partitions: readonly PartitionSummary[];
  readonly firstRowId?: bigint;
}

export interface ManifestCounts {
  readonly addedFiles: number;
  readonly existingFiles: number;
  readonly deletedFiles: number;
  readonly addedRows: bigint;
  readonly existingRows: bigint;
  readonly deletedRows: bigint;
}

/** The range of one partition field over a manifest's live files. Bounds are never cut. */
export interface PartitionSummary {
  readonly containsNull: boolean;
  readonly containsNan: boolean | null;
  readonly lowerBound: Uint8Array | null;
  readonly upperBound: Uint8Array | null;
}

/**
 * Reads a manifest list of format version 1 to 3, by field ids. What version 1 left out is 0.
 *
 * @throws FailedError `iceberg/damaged-avro`, `iceberg/damaged-metadata`
 * @throws RefusedError `iceberg/encrypted` for a manifest with key metadata
 */
export function readManifestList(file: string, bytes: Uint8Array): readonly ManifestEntry[] {
  return [...readAvro(file, bytes).records].map((record) => entryOf(new RecordReader(file, record)));
}

/** The same without manifests whose path is among `seen`: each of a thousand lists names almost those of the one before it. */
export function readNewManifests(
  file: string,
  bytes: Uint8Array,
  seen: ReadonlySet<string>,
): readonly ManifestEntry[] {
  const unless = { key: '500', is: (path: unknown) => seen.has(path as string) };
  const { records } = readAvro(file, bytes, { unless });
  return [...records].map((record) => entryOf(new RecordReader(file, record)));
}

function entryOf(record: RecordReader): ManifestEntry {
  if (record.value(519) !== null) throw record.encrypted();
  const content = record.int(517, 0);
  if (content !== 0 && content !== 1) throw damaged(record.file, `a manifest has content ${content}`);
  const firstRowId = record.value(520) === null ? undefined : record.long(520);
  return {
    path: record.text(500),
    length: record.long(501),
    specId: record.int(502),
    content: content === 0 ? 'data' : 'deletes',
    sequenceNumber: record.long(515, 0n),
    minSequenceNumber: record.long(516, 0n),
    addedSnapshotId: record.long(503, 0n),
    counts: countsOf(record),
    partitions: record.records(507).map((summary) => ({
      containsNull: summary.boolean(509, true),
      containsNan: summary.value(518) === null ? null : summary.boolean(518, true),
      lowerBound: summary.bytes(510),
      upperBound: summary.bytes(511),
    })),
    ...(firstRowId === undefined ? {} : { firstRowId }),
  };
}

function countsOf(record: RecordReader): ManifestCounts | null {
  if ([504, 505, 506].some((id) => record.value(id) === null)) return null;
  return {
    addedFiles: record.int(504),
    existingFiles: record.int(505),
    deletedFiles: record.int(506),
    addedRows: record.long(512, 0n),
    existingRows: record.long(513, 0n),
    deletedRows: record.long(514, 0n),
  };
}

/** What the header of a manifest list holds besides its schema; Java and PyIceberg write the same. */
export interface ManifestListContent {
  readonly snapshotId: bigint;
  readonly parentId: bigint | null;
  readonly sequenceNumber: bigint;
  readonly manifests: readonly ManifestEntry[];
  readonly formatVersion: number;
  readonly sync: Uint8Array;
}

/** Writes a manifest list of format version 1, 2 or 3, each with the fields of its own only. */
export function writeManifestList(content: ManifestListContent): Uint8Array {
  const { snapshotId, parentId, sequenceNumber, manifests, formatVersion, sync } = content;
  return writeAvro({
    schema: { type: 'record', name: 'manifest_file', fields: fieldsOf(formatVersion) },
    metadata: {
      'snapshot-id': String(snapshotId),
      'parent-snapshot-id': String(parentId),
      ...(formatVersion > 1 ? { 'sequence-number': String(sequenceNumber) } : {}),
      'format-version': String(formatVersion),
    },
    records: manifests.map(recordOf),
    codec: 'deflate',
    sync,
  });
}

function recordOf(entry: ManifestEntry): AvroRecord {
  const { counts } = entry;
  return {
    manifest_path: entry.path,
    manifest_length: entry.length,
    partition_spec_id: entry.specId,
    content: entry.content === 'data' ? 0 : 1,
    sequence_number: entry.sequenceNumber,
    min_sequence_number: entry.minSequenceNumber,
    added_snapshot_id: entry.addedSnapshotId,
    added_files_count: counts?.addedFiles ?? null,
    existing_files_count: counts?.existingFiles ?? null,
    deleted_files_count: counts?.deletedFiles ?? null,
    added_rows_count: counts?.addedRows ?? null,
    existing_rows_count: counts?.existingRows ?? null,
    deleted_rows_count: counts?.deletedRows ?? null,
    first_row_id: entry.firstRowId ?? null,
    partitions: entry.partitions.map((summary) => ({
      contains_null: summary.containsNull,
      contains_nan: summary.containsNan,
      lower_bound: summary.lowerBound,
      upper_bound: summary.upperBound,
    })),
  };
}

/** Counts are optional in version 1 only. */
function fieldsOf(formatVersion: number): readonly AvroField[] {
  const count = (name: string, id: number, type: AvroSchema): AvroField =>
    formatVersion === 1 ? optional(name, id, type) : { name, type, 'field-id': id };
  const since2: readonly AvroField[] = [
    { name: 'content', type: 'int', 'field-id': 517 },
    { name: 'sequence_number', type: 'long', 'field-id': 515 },
    { name: 'min_sequence_number', type: 'long', 'field-id': 516 },
  ];
  return [
    { name: 'manifest_path', type: 'string', 'field-id': 500 },
    { name: 'manifest_length', type: 'long', 'field-id': 501 },
    { name: 'partition_spec_id', type: 'int', 'field-id': 502 },
    ...(formatVersion === 1 ? [] : since2),
    { name: 'added_snapshot_id', type: 'long', 'field-id': 503 },
    count('added_files_count', 504, 'int'),
    count('existing_files_count', 505, 'int'),
    count('deleted_files_count', 506, 'int'),
    count('added_rows_count', 512, 'long'),
    count('existing_rows_count', 513, 'long'),
    count('deleted_rows_count', 514, 'long'),
    PARTITIONS,
    ...(formatVersion === 3 ? [optional('first_row_id', 520, 'long')] : []),
  ];
}

const PARTITIONS: AvroField = optional('partitions', 507, {
  type: 'array',
  'element-id': 508,
  items: {
    type: 'record',
    name: 'r508',
    fields: [
      { name: 'contains_null', type: 'boolean', 'field-id': 509 },
      optional('contains_nan', 518, 'boolean'),
      optional('lower_bound', 510, 'bytes'),
      optional('upper_bound', 511, 'bytes'),
    ],
  },
});
