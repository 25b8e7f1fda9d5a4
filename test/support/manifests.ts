import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import avsc from 'avsc';
import type { TableDescription } from '../../src/warehouse/warehouse.ts';

/** What a manifest says of one file, read by another Avro implementation and known by Avro's own names. */
export interface ReadEntry {
  readonly status: number;
  readonly path: string;
  /** Lower and upper bounds as UTF-8 text, whatever they are. */
  readonly bounds: readonly string[];
}

/** All files under a folder, sorted, relative to it. */
export async function filesUnder(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length)).sort();
}

/** The entries of the manifests of a table's current snapshot. */
export async function manifestEntries(
  lake: string,
  table: string,
  { currentSnapshotId }: TableDescription,
): Promise<readonly ReadEntry[]> {
  const folder = join(lake, table.replaceAll('.', '/'), 'metadata');
  const names = await readdir(folder);
  const list = names.find((name) => name.startsWith(`snap-${currentSnapshotId}-`));
  const manifests = await decode(join(folder, list!));
  const entries: ReadEntry[] = [];
  for (const { manifest_path: path } of manifests) {
    for (const { status, data_file: file } of await decode(String(path))) {
      const {
        file_path: location,
        lower_bounds: lower,
        upper_bounds: upper,
      } = file as Record<string, unknown>;
      const bounds = [...((lower ?? []) as Bound[]), ...((upper ?? []) as Bound[])];
      entries.push({
        status: Number(status),
        path: String(location),
        bounds: bounds.map(({ value }) => value.toString('utf8')),
      });
    }
  }
  return entries;
}

interface Bound {
  readonly value: Buffer;
}

/** Counts and ids lose precision here and are not looked at. */
const long = avsc.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer: () => Buffer.alloc(8),
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: () => 0,
});

async function decode(path: string): Promise<readonly Record<string, unknown>[]> {
  const decoder = new avsc.streams.BlockDecoder({
    parseHook: (schema) => avsc.Type.forSchema(schema, { registry: { long } }),
  });
  const records: Record<string, unknown>[] = [];
  decoder.on('data', (record) => records.push(record));
  const ended = new Promise((resolve, reject) => decoder.on('end', resolve).on('error', reject));
  decoder.end(await readFile(path));
  await ended;
  return records;
}
