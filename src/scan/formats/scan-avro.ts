import { parseJson } from '../../values/json.ts';
import { type AvroFile, type AvroRecord, readAvro } from '../../warehouse/iceberg/avro/index.ts';
import type { FileScan } from '../file-scan.ts';
import type { ColumnType, Lookups } from '../ids/column-type.ts';
import { searchPathIds } from '../ids/path-ids.ts';
import { signedBigEndian } from '../parquet/id-page.ts';
import { Verdict } from '../text/verdict.ts';
import { type AvroScalar, AvroWalk, avroType } from './avro-values.ts';
import { jsonTexts, showsItsTexts } from './json-values.ts';
import { scanManifest } from './manifest.ts';
import { scanManifestList } from './manifest-list.ts';

/**
 * Scans an Avro file record by record (rule S4): manifests and manifest lists as what they are, anything else by its own
 * schema. Damage ends in an error; what was found before it stays.
 */
export function scanAvro(bytes: Uint8Array, scan: FileScan): void {
  // The reader wants a name for its errors, which go nowhere: the file's own may hold a value.
  const file = readAvro('an Avro file', bytes);
  scanHeader(file, scan);
  if ('partition-spec' in file.metadata) scanManifest(file, scan);
  else if (isManifestList(file)) scanManifestList(file, scan);
  else scanRecords(file, scan);
}

function scanHeader(file: AvroFile, scan: FileScan): void {
  scan.place('metadata', 'header', (verdict) => {
    for (const text of [...Object.entries(file.metadata).flat(), JSON.stringify(file.schema)]) {
      scan.text.text(text, verdict);
    }
    for (const key of ['schema', 'iceberg.schema', 'partition-spec']) {
      const json = file.metadata[key];
      // What was searched as it stands says nothing more in parts, unless a part must be a whole cell.
      if (json === undefined || (showsItsTexts(json) && !scan.text.hasCells)) continue;
      for (const { text } of jsonTexts(parseJson(json))) scan.text.text(text, verdict);
    }
  });
}

function isManifestList({ schema }: AvroFile): boolean {
  return (
    typeof schema === 'object' &&
    'fields' in schema &&
    schema.fields.some((field) => field.name === 'manifest_path')
  );
}

/** A data file in Avro, or any other. */
function scanRecords(file: AvroFile, scan: FileScan): void {
  const walk = new AvroWalk(file.schema);
  scan.columns(walk.topLevelNames);
  const kind = scan.role === 'delete-file' || scan.role === 'statistics' ? scan.role : 'data';
  const columns = new Map<string, Column>();
  try {
    for (const record of file.records) {
      for (const scalar of walk.scalars(record)) {
        let column = columns.get(scalar.name);
        if (column === undefined) {
          column = newColumn(scalar, scan);
          columns.set(scalar.name, column);
        }
        searchScalar(scalar, column, scan);
      }
      scanComposites(record, walk, { scan, columns });
    }
  } finally {
    for (const [name, { verdict }] of columns) {
      if (verdict.any) scan.note({ kind, where: `column ${name}`, shared: !verdict.found });
    }
  }
}

interface Column {
  readonly verdict: Verdict;
  readonly lookups: Lookups | null;
  readonly decimal: boolean;
}

function newColumn(scalar: AvroScalar, scan: FileScan): Column {
  const type = avroColumnType(scalar);
  const lookups = scan.ids.lookups(scan.table, { name: scalar.name, fieldId: scalar.fieldId }, type);
  return { verdict: new Verdict(), lookups, decimal: type.kind === 'decimal' };
}

function searchScalar({ value }: AvroScalar, { verdict, lookups, decimal }: Column, scan: FileScan): void {
  if (verdict.found) return;
  if (typeof value === 'string') {
    scan.text.text(value, verdict);
    searchPathIds(value, { ids: scan.ids, table: scan.table, verdict });
  } else if (value instanceof Uint8Array) scan.text.raw(value, verdict);
  const found = lookups === null ? undefined : lookUpAvro(value, lookups, decimal);
  if (found !== undefined) verdict.add(found);
}

function lookUpAvro(value: AvroScalar['value'], lookups: Lookups, decimal: boolean): boolean | undefined {
  switch (typeof value) {
    case 'bigint':
      return lookups.integer.get(value);
    case 'number':
      return (
        lookups.floating.get(value) ??
        (Number.isSafeInteger(value) ? lookups.integer.get(BigInt(value)) : undefined)
      );
    case 'string':
      return lookups.text(value);
    case 'boolean':
      return undefined;
    default: {
      if (decimal) return lookups.integer.get(signedBigEndian(value));
      const bytes = Buffer.from(value);
      return lookups.bytes.get(bytes.toString('latin1')) ?? lookups.text(bytes.toString('utf8'));
    }
  }
}

/** All parts of a composite id must stand in one record. */
function scanComposites(
  record: AvroRecord,
  walk: AvroWalk,
  { scan, columns }: { readonly scan: FileScan; readonly columns: ReadonlyMap<string, Column> },
): void {
  const names = [...columns.keys()].map((name) => ({ name }));
  const composites = scan.ids.composites(scan.table, names);
  if (composites.length === 0) return;
  const values = new Map([...walk.scalars(record)].map((scalar) => [scalar.name, String(scalar.value)]));
  for (const { columns: parts, trace } of composites) {
    const hit = trace.values.some((tuple) =>
      tuple.every((literal, k) => literal !== null && values.get(parts[k]!.name) === String(literal.value)),
    );
    if (hit) scan.note({ kind: 'data', where: `columns ${trace.columns.join(', ')}`, shared: trace.shared });
  }
}

function avroColumnType({ type }: AvroScalar): ColumnType {
  const { type: name, logicalType, scale } = avroType(type);
  switch (logicalType) {
    case 'decimal':
      return { kind: 'decimal', scale: scale ?? 0 };
    case 'date':
      return { kind: 'instant', unit: 'days', of: 'date' };
    case 'time-millis':
      return { kind: 'instant', unit: 'millis', of: 'time' };
    case 'time-micros':
      return { kind: 'instant', unit: 'micros', of: 'time' };
    case 'timestamp-millis':
    case 'local-timestamp-millis':
      return { kind: 'instant', unit: 'millis', of: 'timestamp' };
    case 'timestamp-micros':
    case 'local-timestamp-micros':
      return { kind: 'instant', unit: 'micros', of: 'timestamp' };
  }
  switch (name) {
    case 'int':
    case 'long':
      return { kind: 'integer' };
    case 'float':
      return { kind: 'floating', bits: 32 };
    case 'double':
      return { kind: 'floating', bits: 64 };
    case 'string':
      return { kind: 'text' };
    case 'bytes':
    case 'fixed':
      return { kind: 'bytes' };
    default:
      return { kind: 'other' };
  }
}
