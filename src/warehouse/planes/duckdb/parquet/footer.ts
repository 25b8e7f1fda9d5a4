import { open } from 'node:fs/promises';
import type { FileMetaData, SchemaElement } from 'hyparquet';
import { parquetMetadata } from 'hyparquet/src/metadata.js';
import type { Storage } from '../../../../storage/storage.ts';
import { checkThrift } from '../../../thrift-guard.ts';
import { FileFault } from './file-fault.ts';
import { type FileLeaf, leafOf } from './leaf.ts';
import {
  EXACT,
  hasVagueStatistics,
  hasZeroInDictionary,
  type LeafStatistics,
  leafStatistics,
} from './statistics.ts';

/** What the footer of a Parquet file says. */
export interface Footer {
  readonly rows: bigint;
  readonly fields: readonly FileField[];
  /** Compressed bytes of each leaf that has a field id. */
  readonly columnSizes: ReadonlyMap<number, bigint>;
  /** Where each row group starts, ascending. */
  readonly splitOffsets: readonly bigint[];
  /** The ids are not in the file: the table gives them to its names. */
  readonly byName?: boolean;
}

/** A field of a Parquet file; `id` is null where the writer gave none. */
export interface FileField {
  readonly id: number | null;
  readonly name: string;
  readonly type:
    | FileLeaf
    | { readonly kind: 'struct'; readonly fields: readonly FileField[] }
    | { readonly kind: 'list'; readonly element: FileField }
    | { readonly kind: 'map'; readonly key: FileField; readonly value: FileField };
}

/** Whether a leaf of a field has statistics that prove nothing. */
export function isVague({ type }: FileField): boolean {
  switch (type.kind) {
    case 'leaf':
      return type.vague;
    case 'struct':
      return type.fields.some(isVague);
    case 'list':
      return isVague(type.element);
    case 'map':
      return isVague(type.key) || isVague(type.value);
  }
}

/** The field that a path of field ids leads to, through structs. */
export function fieldAt(
  fields: readonly FileField[],
  path: readonly { readonly id: number }[],
): FileField | undefined {
  let [found, inside]: [FileField | undefined, readonly FileField[]] = [undefined, fields];
  for (const { id } of path) {
    found = inside.find((field) => field.id === id);
    inside = found?.type.kind === 'struct' ? found.type.fields : [];
  }
  return found;
}

const TAIL = 8;
const FIRST_READ = 64 * 1024;

/**
 * Reads the footer with ranged reads only, whatever the file's size.
 *
 * @throws FileFault what is wrong with the file; storage errors as they come.
 */
export async function readFooter(storage: Storage, location: string, size: number): Promise<Footer> {
  const bytes = await footerBytes(size, (length) =>
    storage.read(location, { offset: size - length, length }),
  );
  return understood(() => interpret(parse(bytes)));
}

/** What is to be known of a file that was just written. */
export interface WrittenFooter extends Footer {
  readonly size: number;
  /** Of each leaf that has a field id. */
  readonly statistics: ReadonlyMap<number, LeafStatistics>;
  /** DuckDB's dictionaries keep one zero for both: the other sign is lost where a column had both. */
  readonly mayMixZeros: boolean;
}

/** The same for a file in the private folder, which DuckDB wrote. */
export async function readWrittenFooter(path: string): Promise<WrittenFooter> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (length: number): Promise<Uint8Array> =>
      (await file.read(new Uint8Array(length), 0, length, size - length)).buffer;
    const bytes = await footerBytes(size, read);
    return understood(() => {
      const metadata = parse(bytes);
      const mayMixZeros = metadata.row_groups.some(({ columns }) => columns.some(hasZeroInDictionary));
      return { ...interpret(metadata), size, statistics: statisticsOf(metadata), mayMixZeros };
    });
  } finally {
    await file.close();
  }
}

/** `read` gives the last bytes of the file. */
async function footerBytes(
  size: number,
  read: (length: number) => Promise<Uint8Array>,
): Promise<ArrayBuffer> {
  if (size < TAIL + 4) throw new FileFault('damaged', 'it is too short to be Parquet');
  let bytes = await read(Math.min(size, FIRST_READ));
  const tail = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - TAIL, TAIL);
  const magic = Buffer.from(bytes.subarray(bytes.length - 4)).toString('latin1');
  if (magic === 'PARE') throw new FileFault('encrypted', 'its footer is encrypted');
  if (magic !== 'PAR1') throw new FileFault('damaged', 'it does not end as Parquet does');
  const length = tail.getUint32(0, true) + TAIL;
  if (length > size - 4) throw new FileFault('damaged', 'its footer is longer than the file');
  if (length > bytes.length) bytes = await read(length);
  const start = bytes.byteOffset + bytes.length - length;
  return bytes.buffer.slice(start, start + length) as ArrayBuffer;
}

function parse(bytes: ArrayBuffer): FileMetaData {
  checkThrift(new Uint8Array(bytes, 0, bytes.byteLength - TAIL));
  return parquetMetadata(bytes, { geoparquet: false, parsers: EXACT });
}

/** What is missing or of another type than the format says shows only where it is used. */
function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileFault) throw error;
    throw new FileFault('damaged', 'its footer cannot be read');
  }
}

function interpret(metadata: FileMetaData): Footer {
  const columnSizes = new Map<number, bigint>();
  const ids = leafIds(metadata.schema);
  for (const group of metadata.row_groups) {
    for (const column of group.columns) {
      if (column.meta_data === undefined) throw new FileFault('encrypted', 'it has encrypted columns');
      const id = ids.get(pathKey(column.meta_data.path_in_schema));
      if (id === undefined || id === null) continue;
      columnSizes.set(id, (columnSizes.get(id) ?? 0n) + BigInt(column.meta_data.total_compressed_size));
    }
  }
  const elements = metadata.schema[Symbol.iterator]();
  const root: SchemaElement | undefined = elements.next().value;
  const vague = new Set(
    metadata.row_groups.flatMap(({ columns }) =>
      columns.flatMap((chunk, index) => (hasVagueStatistics(chunk) ? [index] : [])),
    ),
  );
  return {
    rows: BigInt(metadata.num_rows),
    fields: children(root?.num_children ?? 0, { elements, vague, leaves: 0 }),
    columnSizes,
    splitOffsets: metadata.row_groups.flatMap((group) => firstByte(group)).sort((a, b) => (a < b ? -1 : 1)),
  };
}

function statisticsOf({ schema, row_groups: groups }: FileMetaData): ReadonlyMap<number, LeafStatistics> {
  const leaves = schema.filter(
    ({ type, num_children: inside }) => type !== undefined || inside === undefined,
  );
  return new Map(
    leaves.flatMap((leaf, index): readonly (readonly [number, LeafStatistics])[] => {
      const found = leafStatistics(leafOf(leaf), index, groups);
      return found === undefined || leaf.field_id === undefined ? [] : [[leaf.field_id, found]];
    }),
  );
}

function firstByte(group: FileMetaData['row_groups'][number]): readonly bigint[] {
  const first = group.columns[0]?.meta_data;
  if (first === undefined) return [];
  const { dictionary_page_offset: dictionary, data_page_offset: data } = first;
  return [BigInt(dictionary !== undefined && dictionary > 0 && dictionary < data ? dictionary : data)];
}

function pathKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Field ids of the leaves by their path in the file. */
function leafIds(schema: readonly SchemaElement[]): ReadonlyMap<string, number | null> {
  const ids = new Map<string, number | null>();
  let next = 1;
  const visit = (count: number, path: readonly string[]): void => {
    for (let child = 0; child < count; child++) {
      const element = schema[next++];
      if (element === undefined) throw new FileFault('damaged', 'its schema is cut short');
      const below = [...path, element.name];
      if (element.num_children === undefined || element.type !== undefined) {
        ids.set(pathKey(below), element.field_id ?? null);
      } else visit(element.num_children, below);
    }
  };
  visit(schema[0]?.num_children ?? 0, []);
  return ids;
}

/** A walk over the elements of a schema, which counts the leaves. */
interface Walk {
  readonly elements: Iterator<SchemaElement>;
  /** The numbers of leaves with statistics that prove nothing. */
  readonly vague: ReadonlySet<number>;
  leaves: number;
}

function children(count: number, walk: Walk): readonly FileField[] {
  return Array.from({ length: count }, () => child(walk));
}

function child(walk: Walk): FileField {
  const next = walk.elements.next();
  if (next.done === true) throw new FileFault('damaged', 'its schema is cut short');
  const element = next.value;
  const { name } = element;
  const id = element.field_id ?? null;
  if (element.type !== undefined || element.num_children === undefined) {
    return { id, name, type: leafOf(element, walk.vague.has(walk.leaves++)) };
  }
  const inner = children(element.num_children, walk);
  const only = inner[0];
  const kind = element.converted_type ?? element.logical_type?.type;
  if (kind === 'LIST' && only !== undefined) {
    // Three levels (list.element) as the format asks; older writers left the middle one out.
    const element =
      only.type.kind === 'struct' && only.type.fields.length === 1 ? only.type.fields[0]! : only;
    return { id, name, type: { kind: 'list', element } };
  }
  if ((kind === 'MAP' || kind === 'MAP_KEY_VALUE') && only?.type.kind === 'struct') {
    const [key, value] = only.type.fields;
    if (key !== undefined && value !== undefined) return { id, name, type: { kind: 'map', key, value } };
  }
  return { id, name, type: { kind: 'struct', fields: inner } };
}
