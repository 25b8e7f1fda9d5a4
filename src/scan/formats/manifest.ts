import { parseJson } from '../../values/json.ts';
import {
  type AvroFile,
  type AvroRecord,
  type AvroValue,
  recordEntries,
} from '../../warehouse/iceberg/avro/index.ts';
import { bigEndian, decimalScale, decodeBound } from '../../warehouse/iceberg/manifest/single-value.ts';
import { JsonReader } from '../../warehouse/iceberg/metadata/damaged.ts';
import { parseSchema, schemaFields } from '../../warehouse/iceberg/metadata/schema.ts';
import type { PrimitiveType } from '../../warehouse/schema.ts';
import type { FileRole, FileScan } from '../file-scan.ts';
import type { Lookups } from '../ids/column-type.ts';
import { icebergColumnType, lookUp } from '../ids/iceberg-value.ts';
import { searchPathIds } from '../ids/path-ids.ts';
import { Verdict } from '../text/verdict.ts';
import { Unread } from '../unread.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Field ids of the specification's manifest entries. */
const FIELD = {
  status: '0',
  dataFile: '2',
  content: '134',
  path: '100',
  partition: '102',
  keyMetadata: '131',
  referencedDataFile: '143',
} as const;
const BOUNDS = [
  { list: '125', key: '126', value: '127', name: 'lower bound' },
  { list: '128', key: '129', value: '130', name: 'upper bound' },
] as const;
const STATUS = ['an existing', 'an added', 'a deleted'];
const CONTENT: readonly FileRole[] = ['data', 'delete-file', 'delete-file'];

interface Column {
  readonly name: string;
  readonly type: PrimitiveType;
  readonly lookups: Lookups | null;
}

/**
 * Scans a manifest entry by entry, deleted ones too (rule S4): paths, partition values, and both bounds of every column, decoded by
 * the schema that the manifest itself carries. A value that was a file's greatest is recognised although its last kept
 * character is raised by one, because traces are one character shorter than what is kept (rule S1).
 */
export function scanManifest(file: AvroFile, scan: FileScan): void {
  const columns = columnsOf(file, scan);
  const partition = partitionOf(file, columns);
  for (const record of file.records) {
    const data = record[FIELD.dataFile];
    if (!isRecord(data)) throw new Unread('an entry of the manifest names no file');
    const entry = `${STATUS[Number(record[FIELD.status])] ?? 'an'} entry`;
    scanPaths(data, entry, scan);
    scanPartition(data, entry, { partition, scan });
    scanBounds(data, entry, { columns, scan });
    const key = data[FIELD.keyMetadata];
    if (key instanceof Uint8Array)
      scan.place('metadata', 'key metadata', (verdict) => scan.text.raw(key, verdict));
  }
}

function columnsOf(file: AvroFile, scan: FileScan): ReadonlyMap<number, Column> {
  const json = file.metadata.schema;
  if (json === undefined) throw new Unread('the manifest carries no schema to decode its bounds by');
  const schema = parseSchema(new JsonReader('a manifest', 'schema', parseJson(json)), 'a manifest');
  const columns = new Map<number, Column>();
  for (const { id, path, type } of schemaFields(schema)) {
    if (typeof type !== 'string') continue;
    const name = path.join('.');
    const lookups = scan.ids.lookups(scan.table, { name, fieldId: id }, icebergColumnType(type));
    columns.set(id, { name, type, lookups });
  }
  return columns;
}

/** The columns behind partition fields, by the fields' ids; only where a field keeps its column's value as it is. */
function partitionOf(file: AvroFile, columns: ReadonlyMap<number, Column>): ReadonlyMap<string, Column> {
  const fields = parseJson(file.metadata['partition-spec']!);
  const found = new Map<string, Column>();
  for (const [index, field] of (Array.isArray(fields) ? fields : []).entries()) {
    const column = columns.get(Number(field['source-id']));
    if (column !== undefined && field.transform === 'identity') {
      found.set(String(field['field-id'] ?? 1000 + index), column);
    }
  }
  return found;
}

function scanPaths(data: AvroRecord, entry: string, scan: FileScan): void {
  for (const key of [FIELD.path, FIELD.referencedDataFile]) {
    const path = data[key];
    if (typeof path !== 'string') continue;
    scan.place('path', `path in ${entry}`, (verdict) => {
      scan.text.text(path, verdict);
      searchPathIds(path, { ids: scan.ids, table: scan.table, verdict });
    });
    if (key === FIELD.path) scan.refer(path, CONTENT[Number(data[FIELD.content] ?? 0)] ?? 'data');
  }
}

function scanPartition(
  data: AvroRecord,
  entry: string,
  { partition, scan }: { readonly partition: ReadonlyMap<string, Column>; readonly scan: FileScan },
): void {
  const tuple = data[FIELD.partition];
  if (!isRecord(tuple)) return;
  for (const [id, value] of recordEntries(tuple)) {
    const column = partition.get(id);
    const where = column === undefined ? `partition of ${entry}` : `partition by ${column.name} of ${entry}`;
    scan.place('partition', where, (verdict) => {
      if (typeof value === 'string') scan.text.text(value, verdict);
      else if (value instanceof Uint8Array) scan.text.raw(value, verdict);
      const lookups = column?.lookups;
      if (lookups == null) return;
      const comparable = comparableOf(value, column!.type);
      const found = comparable === undefined ? undefined : lookUp(comparable, lookups);
      if (found !== undefined) verdict.add(found);
    });
  }
}

function comparableOf(value: AvroValue, type: PrimitiveType): bigint | number | Uint8Array | undefined {
  if (value instanceof Uint8Array && decimalScale(type) !== undefined) return bigEndian(value);
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return new TextEncoder().encode(value);
  return typeof value === 'bigint' || value instanceof Uint8Array ? value : undefined;
}

function scanBounds(
  data: AvroRecord,
  entry: string,
  { columns, scan }: { readonly columns: ReadonlyMap<number, Column>; readonly scan: FileScan },
): void {
  for (const { list, key, value, name } of BOUNDS) {
    const bounds = data[list];
    if (!Array.isArray(bounds)) continue;
    for (const bound of bounds as readonly AvroValue[]) {
      if (!isRecord(bound)) continue;
      const bytes = bound[value];
      const column = columns.get(Number(bound[key]));
      if (!(bytes instanceof Uint8Array)) continue;
      const verdict = new Verdict();
      searchBound(bytes, column, { scan, verdict });
      const where = `${name} of ${column?.name ?? 'a column that its schema lacks'} in ${entry}`;
      if (verdict.any) scan.note({ kind: 'bound', where, shared: !verdict.found });
      const shared = verdict.found || column?.type !== 'string' ? undefined : cutId(bytes, column);
      const file = data[FIELD.path];
      if (shared !== undefined && typeof file === 'string')
        scan.doubt({ file, column: column!.name, where, shared });
    }
  }
}

/** Below this length a cut-off bound could begin anybody's id. */
const LEAST_KEPT = 8;

function searchBound(
  bytes: Uint8Array,
  column: Column | undefined,
  { scan, verdict }: { readonly scan: FileScan; readonly verdict: Verdict },
): void {
  if (column === undefined || column.type === 'string') {
    scan.text.text(utf8.decode(bytes), verdict);
  } else if (icebergColumnType(column.type).kind === 'bytes') scan.text.raw(bytes, verdict);
  if (column?.lookups == null) return;
  const value = decodeBound(column.type, bytes);
  const found = value === undefined ? undefined : lookUp(value, column.lookups);
  if (found !== undefined) verdict.add(found);
}

/** Whether a text id longer than what a bound keeps begins with it, the last character perhaps raised; shared or not. */
function cutId(bytes: Uint8Array, { lookups }: Column): boolean | undefined {
  const kept = [...utf8.decode(bytes)];
  if (lookups === null || kept.length < LEAST_KEPT) return undefined;
  return lookups.textBeginning(kept.slice(0, -1).join(''));
}

function isRecord(value: AvroValue | undefined): value is AvroRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !(value instanceof Map)
  );
}
