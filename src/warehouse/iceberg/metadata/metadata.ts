import { gunzipSync } from 'node:zlib';
import { parseJson, stringifyJson } from '../../../values/json.ts';
import type { Instant } from '../../../values/time.ts';
import type { PartitionSpec } from '../../partition-spec.ts';
import type { Schema } from '../../schema.ts';
import { damaged, type Json, JsonReader, unsupported } from './damaged.ts';
import { parseSpec, parseSpecFields } from './partition.ts';
import { parseSchema } from './schema.ts';

/**
 * A table's metadata. `json` is the document as it was read, unknown fields included; the other fields are the same, typed. A
 * change is made to the document ({@link applyUpdates}), so that what Lethe does not know survives it.
 */
export interface TableMetadata {
  readonly json: Json;
  readonly formatVersion: number;
  /** Empty only in version 1 tables of old writers. */
  readonly uuid: string;
  readonly location: string;
  readonly lastUpdated: Instant;
  readonly lastSequenceNumber: bigint;
  readonly lastColumnId: number;
  /** Version 3: the first row id that no row has yet. Null before, and where a writer left it out: such a table is not changed. */
  readonly nextRowId: bigint | null;
  readonly schemas: readonly Schema[];
  readonly schema: Schema;
  readonly specs: readonly PartitionSpec[];
  readonly defaultSpecId: number;
  /** Source columns of any of the table's sort orders. */
  readonly sortFieldIds: readonly number[];
  /** Source columns of the default sort order. */
  readonly defaultSortFieldIds: readonly number[];
  readonly properties: Readonly<Record<string, string>>;
  readonly currentSnapshotId: bigint | null;
  readonly snapshots: readonly SnapshotMetadata[];
  readonly refs: ReadonlyMap<string, RefMetadata>;
  readonly metadataLog: readonly { readonly timestamp: Instant; readonly file: string }[];
  readonly statistics: readonly StatisticsFile[];
  readonly partitionStatistics: readonly StatisticsFile[];
}

export interface SnapshotMetadata {
  readonly id: bigint;
  readonly parentId: bigint | null;
  readonly sequenceNumber: bigint;
  readonly timestamp: Instant;
  readonly manifestList: string | null;
  /** Version 1 without a manifest list: the manifests themselves. */
  readonly manifests: readonly string[];
  readonly operation: string;
  readonly summary: Readonly<Record<string, string>>;
  readonly schemaId: number | null;
}

export interface RefMetadata {
  readonly type: 'branch' | 'tag';
  readonly snapshotId: bigint;
  readonly minSnapshotsToKeep?: number;
  readonly maxSnapshotAgeMs?: number;
  readonly maxRefAgeMs?: number;
}

export interface StatisticsFile {
  readonly snapshotId: bigint;
  readonly path: string;
}

/** No metadata file of a working table comes near this; a larger one is a bomb or damage. */
const LARGEST = 512 * 1024 * 1024;

/**
 * Reads a metadata file of format version 1 to 3; gzip is known by its first bytes, whatever the name says.
 *
 * @throws FailedError `iceberg/damaged-metadata` where it is cut short, no JSON, or breaks the specification
 * @throws RefusedError `iceberg/format-version` above 3, `iceberg/encrypted` for a table with encryption keys
 */
export function readMetadata(file: string, bytes: Uint8Array): TableMetadata {
  let document: unknown;
  try {
    const plain =
      bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: LARGEST }) : bytes;
    document = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(plain));
  } catch (cause) {
    throw damaged(file, 'this is no whole JSON document', cause);
  }
  return metadataOf(file, document);
}

/** The bytes of a metadata file. */
export function writeMetadata(metadata: TableMetadata): Uint8Array {
  return new TextEncoder().encode(stringifyJson(metadata.json));
}

/** Types a metadata document; see {@link readMetadata}. */
export function metadataOf(file: string, document: unknown): TableMetadata {
  const reader = new JsonReader(file, 'the table', document);
  const formatVersion = reader.int('format-version');
  if (formatVersion < 1 || formatVersion > 3) {
    throw unsupported('format-version', `${file}: format version ${formatVersion} is not supported`, {
      file,
    });
  }
  if (reader.list('encryption-keys').length > 0) {
    throw unsupported('encrypted', `${file}: the table is encrypted`, { file });
  }
  if (formatVersion > 1) checkRequired(reader);
  const schemas = reader.has('schemas')
    ? reader.objects('schemas').map((schema) => parseSchema(schema, file))
    : [parseSchema(reader.object('schema'), file)];
  const currentSchemaId = reader.has('current-schema-id') ? reader.int('current-schema-id') : schemas[0]?.id;
  const schema = schemas.find(({ id }) => id === currentSchemaId);
  if (schema === undefined) throw reader.fault('has no schema of the id current-schema-id');
  const specs = reader.has('partition-specs')
    ? reader.objects('partition-specs').map(parseSpec)
    : [{ id: 0, fields: parseSpecFields(reader.objects('partition-spec')) }];
  const defaultSpecId = reader.has('default-spec-id') ? reader.int('default-spec-id') : 0;
  if (!specs.some(({ id }) => id === defaultSpecId))
    throw reader.fault('has no partition spec of the id default-spec-id');
  const snapshots = reader.objects('snapshots').map((snapshot) => snapshotOf(snapshot, formatVersion));
  const currentSnapshotId = currentSnapshotOf(reader);
  if (currentSnapshotId !== null && !snapshots.some(({ id }) => id === currentSnapshotId)) {
    throw reader.fault('has no snapshot of the id current-snapshot-id');
  }
  return {
    json: reader.json,
    formatVersion,
    uuid: formatVersion > 1 || reader.has('table-uuid') ? reader.text('table-uuid') : '',
    location: reader.text('location'),
    lastUpdated: Number(reader.long('last-updated-ms')),
    lastSequenceNumber: formatVersion > 1 ? reader.long('last-sequence-number') : 0n,
    lastColumnId: reader.int('last-column-id'),
    nextRowId: formatVersion > 2 && reader.has('next-row-id') ? reader.long('next-row-id') : null,
    schemas,
    schema,
    specs,
    defaultSpecId,
    sortFieldIds: sortFieldsOf(reader.objects('sort-orders')),
    defaultSortFieldIds: sortFieldsOf(
      reader
        .objects('sort-orders')
        .filter((order) => order.json['order-id'] === reader.json['default-sort-order-id']),
    ),
    properties: reader.texts('properties'),
    currentSnapshotId,
    snapshots,
    refs: refsOf(reader, currentSnapshotId, snapshots),
    metadataLog: reader.objects('metadata-log').map((entry) => ({
      timestamp: Number(entry.long('timestamp-ms')),
      file: entry.text('metadata-file'),
    })),
    statistics: reader.objects('statistics').map(statisticsOf),
    partitionStatistics: reader.objects('partition-statistics').map(statisticsOf),
  };
}

/** What version 1 may leave out or write in an older form. */
const REQUIRED_SINCE_2 = [
  'schemas',
  'current-schema-id',
  'partition-specs',
  'default-spec-id',
  'last-partition-id',
  'sort-orders',
  'default-sort-order-id',
] as const;

function checkRequired(reader: JsonReader): void {
  const missing = REQUIRED_SINCE_2.filter((key) => !reader.has(key));
  if (missing.length > 0) throw reader.fault(`lacks ${missing.join(', ')}`);
}

/** Java writes -1 for "none" in versions 1 and 2. */
function currentSnapshotOf(reader: JsonReader): bigint | null {
  if (!reader.has('current-snapshot-id')) return null;
  const id = reader.long('current-snapshot-id');
  return id === -1n ? null : id;
}

function snapshotOf(reader: JsonReader, formatVersion: number): SnapshotMetadata {
  if (reader.has('key-id')) throw unsupported('encrypted', 'The table has encrypted snapshots');
  const summary = reader.texts('summary');
  if (formatVersion > 1 && summary.operation === undefined) throw reader.fault('has no operation');
  const manifestList = reader.has('manifest-list') ? reader.text('manifest-list') : null;
  if (manifestList === null && (formatVersion > 1 || !reader.has('manifests'))) {
    throw reader.fault('has no manifest-list');
  }
  return {
    id: reader.long('snapshot-id'),
    parentId: reader.has('parent-snapshot-id') ? reader.long('parent-snapshot-id') : null,
    sequenceNumber: reader.has('sequence-number') ? reader.long('sequence-number') : 0n,
    timestamp: Number(reader.long('timestamp-ms')),
    manifestList,
    manifests: manifestList === null ? reader.list('manifests').map(String) : [],
    operation: summary.operation ?? 'unknown',
    summary,
    schemaId: reader.has('schema-id') ? reader.int('schema-id') : null,
  };
}

function sortFieldsOf(orders: readonly JsonReader[]): readonly number[] {
  const ids = orders
    .flatMap((order) => order.objects('fields'))
    .flatMap((field) =>
      field.has('source-ids') ? field.list('source-ids').map(Number) : [field.int('source-id')],
    );
  return [...new Set(ids)];
}

function refsOf(
  reader: JsonReader,
  currentSnapshotId: bigint | null,
  snapshots: readonly SnapshotMetadata[],
): ReadonlyMap<string, RefMetadata> {
  const refs = new Map<string, RefMetadata>();
  if (reader.has('refs')) {
    const object = reader.object('refs');
    for (const name of Object.keys(object.json)) refs.set(name, refOf(object.object(name), snapshots));
  }
  if (!refs.has('main') && currentSnapshotId !== null) {
    refs.set('main', { type: 'branch', snapshotId: currentSnapshotId });
  }
  return refs;
}

function refOf(reader: JsonReader, snapshots: readonly SnapshotMetadata[]): RefMetadata {
  const type = reader.text('type');
  if (type !== 'branch' && type !== 'tag') throw reader.fault('is neither branch nor tag');
  const snapshotId = reader.long('snapshot-id');
  if (!snapshots.some(({ id }) => id === snapshotId))
    throw reader.fault('names a snapshot that is not there');
  return {
    type,
    snapshotId,
    ...(reader.has('min-snapshots-to-keep')
      ? { minSnapshotsToKeep: reader.int('min-snapshots-to-keep') }
      : {}),
    ...(reader.has('max-snapshot-age-ms')
      ? { maxSnapshotAgeMs: Number(reader.long('max-snapshot-age-ms')) }
      : {}),
    ...(reader.has('max-ref-age-ms') ? { maxRefAgeMs: Number(reader.long('max-ref-age-ms')) } : {}),
  };
}

function statisticsOf(reader: JsonReader): StatisticsFile {
  return { snapshotId: reader.long('snapshot-id'), path: reader.text('statistics-path') };
}

/** The current snapshot, or the one of an id; null for an empty table. */
export function snapshotAt(
  metadata: TableMetadata,
  id = metadata.currentSnapshotId,
): SnapshotMetadata | null {
  return metadata.snapshots.find((snapshot) => snapshot.id === id) ?? null;
}
