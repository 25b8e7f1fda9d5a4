import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { localStorage, mountedStorage } from '../../src/storage/index.ts';
import { type IcebergSettings, openIceberg } from '../../src/warehouse/iceberg/open.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import { seededRandom } from './lake.ts';

/** Every table among the samples, by its folder. */
export function sampleFolders(root: string): readonly string[] {
  const files = readdirSync(root, { recursive: true }) as string[];
  const found = files.map((file) => /^(.*)\/metadata\/[^/]*\.metadata\.json(?:\.gz)?$/.exec(file)?.[1]);
  return [...new Set(found.filter((folder) => folder !== undefined))].sort();
}

/** Tables whose rows are refused, and by which name: nobody should read them another way. */
export const REFUSED_SAMPLES: Readonly<Record<string, string>> = {
  // A snapshot id beyond 64 bits.
  'duckdb-equality_delete_cross_partition/warehouse/ns/t': 'iceberg/damaged-metadata',
  // DuckDB would cut its nanoseconds. The other columns can be read, and the table holds no row.
  'duckdb-timestamptz_ns': 'plane/unsupported-type',
  // Neither field ids nor a name mapping.
  'impala-airports_parquet': 'plane/no-field-ids',
  'impala-iceberg_mixed_file_format_test': 'warehouse/unreadable',
  // Its delete file holds two rows, and the manifest says one.
  'impala-iceberg_v2_delete_equality_nulls': 'plane/file-mismatch',
  'impala-iceberg_v2_no_deletes_orc': 'warehouse/unreadable',
  'impala-iceberg_with_key_metadata': 'plane/file-encrypted',
  'impala-v3-iceberg_v3_default_value_avro': 'warehouse/unreadable',
  'impala-v3-iceberg_v3_row_lineage_orc': 'warehouse/unreadable',
  'impala-v3-trino_nested_variant': 'plane/unsupported-type',
};

/** Opens the one table of a sample folder, which may have been copied to `at`. */
export async function openSample(
  root: string,
  folder: string,
  { at = join(root, folder), ...settings }: { readonly at?: string } & Partial<IcebergSettings> = {},
): Promise<{ readonly warehouse: Warehouse; readonly table: string }> {
  const warehouse = await openIceberg({
    catalog: { kind: 'directory', path: at, takeOver: true },
    storage: mountedStorage(localStorage(), mounts(root, folder, at)),
    clock: { now: () => Date.UTC(2030, 0, 1) },
    random: seededRandom(folder.length),
    ...settings,
  });
  const [table] = await warehouse.list();
  return { warehouse, table: table! };
}

/**
 * Where the writer thought its table was, and every prefix under which its metadata or its delete files name files, each with the
 * folder that has them now: the sample's, which may have been copied to `at`.
 */
export function mounts(root: string, folder: string, at: string): Readonly<Record<string, string>> {
  const prefixes: Record<string, string> = {};
  for (const name of readdirSync(join(at, 'metadata')).filter((file) => /metadata\.json/.test(file))) {
    const bytes = readFileSync(join(at, 'metadata', name));
    const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
    for (const [, location] of text.matchAll(/"(?:location|manifest-list)"\s*:\s*"([^"]+)"/g)) {
      prefixes[location!.replace(/\/metadata\/[^/]*$/, '').replace(/\/$/, '')] = at;
    }
  }
  const impala = '/test-warehouse/iceberg_test/hadoop_catalog/ice/';
  for (const location of Object.keys(prefixes).filter((prefix) => prefix.startsWith(impala))) {
    prefixes[`hdfs://localhost:20500${location}`] = at;
  }
  if (folder.includes('multiple_storage')) {
    for (const part of ['', '01', '02']) {
      const data = `iceberg_multiple_storage_locations_data${part}`;
      prefixes[impala + data] = join(root, `impala-${data}`);
    }
  }
  if (folder.includes('column_mapping'))
    prefixes['data/persistent/column_mapping'] = join(root, 'duckdb-column_mapping');
  return prefixes;
}

/** The rows of some columns as texts, sorted. */
export async function rowsAsText(
  warehouse: Warehouse,
  table: string,
  columns: readonly string[],
): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const batch of warehouse.read(table, { columns })) {
    for (let row = 0; row < batch.numRows; row++) {
      const cells = columns.map((_, index): unknown => batch.getChildAt(index)!.get(row) ?? null);
      rows.push(JSON.stringify(cells.map((cell) => (cell === null ? null : text(cell)))));
    }
  }
  return rows.sort();
}

function text(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'object' && value !== null) return basename(JSON.stringify(value));
  return String(value);
}
