import type { DataFile, FileMetrics } from '../../data-file.ts';
import type { PartitionSpec } from '../../partition-spec.ts';
import type { PrimitiveType, Schema } from '../../schema.ts';
import { type AvroValue, readAvro } from '../avro/index.ts';
import { damaged } from '../metadata/damaged.ts';
import { partitionType } from '../metadata/partition.ts';
import type { ManifestEntry } from './manifest-list.ts';
import { partitionLiteral } from './partition-value.ts';
import { RecordReader } from './record.ts';

/** One line of a manifest: a file, and what became of it in which snapshot. Sequence numbers are resolved. */
export interface FileEntry {
  readonly status: 'existing' | 'added' | 'deleted';
  readonly snapshotId: bigint;
  readonly sequenceNumber: bigint;
  readonly fileSequenceNumber: bigint;
  readonly file: DataFile;
}

/** What is needed to read a manifest: what the list says of it, and the table's specs and schemas. */
export interface ManifestContext {
  readonly manifest: ManifestEntry;
  readonly spec: PartitionSpec;
  /** The current schema first. */
  readonly schemas: readonly Schema[];
}

const ENTRIES = { numberedMaps: true };
const STATUS = ['existing', 'added', 'deleted'] as const;
const CONTENT = ['data', 'position-deletes', 'equality-deletes'] as const;

/**
 * Reads a manifest of format version 1 to 3, by field ids. An added entry without sequence numbers inherits the manifest's
 * own; version 1 has none and counts as 0.
 *
 * @throws FailedError `iceberg/damaged-avro`, `iceberg/damaged-metadata`
 */
export function readManifest(bytes: Uint8Array, context: ManifestContext): readonly FileEntry[] {
  const { manifest, spec, schemas } = context;
  const { records } = readAvro(manifest.path, bytes, ENTRIES);
  const types = spec.fields.map((field) => partitionType(field, schemas));
  const entries = [...records].map((record) =>
    entryOf(new RecordReader(manifest.path, record), { ...context, types }),
  );
  return manifest.firstRowId === undefined ? entries : numbered(entries, manifest.firstRowId);
}

/** Status, data file, location: what {@link readLocations} reads of an entry. */
const LOCATION = { only: new Set(['0', '2', '100']) };

/** The locations that a manifest's entries name, and which of them are live; the rest of it is passed over. */
export function readLocations(
  path: string,
  bytes: Uint8Array,
): { readonly entries: number; readonly live: readonly string[] } {
  const live: string[] = [];
  let entries = 0;
  for (const record of readAvro(path, bytes, LOCATION).records) {
    const entry = new RecordReader(path, record);
    entries += 1;
    if (STATUS[entry.int(0)] !== 'deleted') live.push(entry.record(2).text(100));
  }
  return { entries, live };
}

/** A live data file without row ids of its own takes the manifest's next ones (version 3, row lineage). */
function numbered(entries: readonly FileEntry[], firstRowId: bigint): readonly FileEntry[] {
  let next = firstRowId;
  return entries.map((entry) => {
    const { file, status } = entry;
    if (status === 'deleted' || file.content !== 'data' || file.firstRowId !== undefined) return entry;
    next += file.recordCount;
    return { ...entry, file: { ...file, firstRowId: next - file.recordCount } };
  });
}

interface EntryContext extends ManifestContext {
  readonly types: readonly (PrimitiveType | undefined)[];
}

function entryOf(record: RecordReader, context: EntryContext): FileEntry {
  const { manifest } = context;
  const status = STATUS[record.int(0)];
  if (status === undefined) throw damaged(record.file, 'an entry has an unknown status');
  const inherited =
    status === 'added' || manifest.sequenceNumber === 0n ? manifest.sequenceNumber : undefined;
  const sequenceNumber = record.long(3, inherited);
  return {
    status,
    snapshotId: record.long(1, manifest.addedSnapshotId),
    sequenceNumber,
    // Optional even where the data sequence number is written: some writers of version 2 leave it out.
    fileSequenceNumber: record.long(4, inherited ?? sequenceNumber),
    file: fileOf(record.record(2), context),
  };
}

function fileOf(record: RecordReader, { spec, types }: EntryContext): DataFile {
  const content = CONTENT[record.int(134, 0)];
  if (content === undefined) throw damaged(record.file, 'a file has an unknown content');
  const recordCount = record.long(103);
  const fileSize = record.long(104);
  if (recordCount < 0n || fileSize < 0n) throw damaged(record.file, 'a file has a negative size');
  const partition = spec.fields.length === 0 ? undefined : record.record(102);
  const keyMetadata = record.bytes(131);
  return {
    content,
    location: record.text(100),
    format: record.text(101).toLowerCase(),
    specId: spec.id,
    partition: spec.fields.map((field, index) => {
      if (partition === undefined) return null;
      const type = types[index];
      // Left out is not null, which would say that the column is null in every row. A void field keeps nothing.
      const mayLack = type === undefined || field.transform.toLowerCase() === 'void';
      if (!mayLack && !partition.has(field.fieldId)) {
        throw damaged(record.file, `a file has no partition value in field ${field.fieldId}`);
      }
      return partitionLiteral(record.file, type, partition.value(field.fieldId));
    }),
    recordCount,
    fileSize,
    metrics: metricsOf(record),
    ...(keyMetadata === null ? {} : { keyMetadata }),
    ...(record.value(132) === null
      ? {}
      : { splitOffsets: record.list(132).map((offset) => longOf(record, offset)) }),
    ...(record.value(135) === null ? {} : { equalityIds: record.list(135).map(Number) }),
    ...(record.value(140) === null ? {} : { sortOrderId: record.int(140) }),
    ...(record.value(142) === null ? {} : { firstRowId: record.long(142) }),
    ...(record.value(143) === null ? {} : { referencedDataFile: record.text(143) }),
    ...(record.value(144) === null ? {} : { contentOffset: record.long(144) }),
    ...(record.value(145) === null ? {} : { contentSize: record.long(145) }),
  };
}

function metricsOf(record: RecordReader): FileMetrics {
  return {
    columnSizes: mapOf(record, 108, [117, 118], longOf),
    valueCounts: mapOf(record, 109, [119, 120], longOf),
    nullCounts: mapOf(record, 110, [121, 122], longOf),
    nanCounts: mapOf(record, 137, [138, 139], longOf),
    lowerBounds: mapOf(record, 125, [126, 127], bytesOf),
    upperBounds: mapOf(record, 128, [129, 130], bytesOf),
  };
}

/** A map with integer keys; a list of key and value where a writer calls the two by other names. */
function mapOf<T>(
  record: RecordReader,
  id: number,
  ids: readonly [number, number],
  value: (record: RecordReader, value: AvroValue) => T,
): ReadonlyMap<number, T> {
  const map: unknown = record.value(id);
  if (map === null) return NOTHING;
  if (map instanceof Map) {
    const numbered = map as Map<number, unknown>;
    // It becomes what it should be where it is: a large manifest has hundreds of thousands of these values.
    for (const [key, held] of numbered) {
      const known = value(record, held as AvroValue);
      if (known !== held) numbered.set(key, known);
    }
    return numbered as ReadonlyMap<number, T>;
  }
  return new Map(
    record.records(id).map((item): [number, T] => {
      const [key, held] = item.entry(ids);
      return [key, value(record, held)];
    }),
  );
}

const NOTHING: ReadonlyMap<number, never> = new Map<number, never>();

function longOf(record: RecordReader, value: AvroValue): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(value);
  throw damaged(record.file, 'a metric is no number');
}

function bytesOf(record: RecordReader, value: AvroValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw damaged(record.file, 'a bound is no binary');
}
