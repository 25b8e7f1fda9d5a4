import type { FileMetaData, SchemaElement, SchemaTree } from 'hyparquet';
import { parquetMetadata, parquetSchema } from 'hyparquet/src/metadata.js';
import { getTreePath } from 'hyparquet/src/schema.js';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import type { LocalReader } from '../../storage/local-reader.ts';
import { checkThrift } from '../../warehouse/thrift-guard.ts';
import { Unread } from '../unread.ts';
import type { Fields } from './kept.ts';

/** One leaf column in one row group. */
export interface Chunk {
  readonly rowGroup: number;
  /** Its place in the row group. */
  readonly column: number;
  /** Names from the top-level column down, without groups that only carry lists and maps. */
  readonly name: string;
  readonly element: SchemaElement;
  readonly codec: string;
  /** First byte of the first page, the dictionary's where there is one. */
  readonly from: number;
  readonly length: number;
  /** Values with nulls, as the footer counts them. */
  readonly values: number;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
  /** Where the least and greatest values of its pages are kept, if they are. */
  readonly index: { readonly offset: number; readonly length: number } | null;
  /** Where its Bloom filter lies, if it has one. */
  readonly bloomFilter: number | null;
}

export interface ParquetFile {
  readonly meta: FileMetaData;
  /** By row group. */
  readonly chunks: readonly (readonly Chunk[])[];
  /** First byte of the footer. */
  readonly footerAt: number;
  /** The footer as its bytes have it, statistics too; parsed when it is first asked for. */
  raw(): Fields;
}

const TAIL = 8;
const MAGIC = 'PAR1';
/** A thousand columns in two hundred row groups come to half of it. */
const LARGEST_FOOTER = 64 << 20;

/** Reads the footer. Throws {@link Unread} for what is no whole, plain Parquet file. */
export function readFooter(source: LocalReader): ParquetFile {
  if (source.size < TAIL + MAGIC.length) throw new Unread('the Parquet file is cut short');
  const tail = source.read(source.size - TAIL, TAIL);
  const magic = Buffer.from(tail).toString('latin1', 4);
  if (magic === 'PARE') throw new Unread('the Parquet footer is encrypted');
  if (magic !== MAGIC) throw new Unread('the Parquet file has no footer: it is cut short or damaged');
  const length = new DataView(tail.buffer).getUint32(0, true);
  const footerAt = source.size - TAIL - length;
  if (footerAt < MAGIC.length) throw new Unread('the Parquet footer is longer than its file');
  if (length > LARGEST_FOOTER) throw new Unread('the Parquet footer claims to be larger than 64 MiB');
  const bytes = source.read(footerAt, length + TAIL);
  const meta = parseFooter(bytes, length);
  const schema = parquetSchema(meta);
  const chunks = meta.row_groups.map((group, rowGroup) =>
    group.columns.map((column, at) => chunkOf({ schema, rowGroup, at, column, footerAt })),
  );
  checkCounts(meta, chunks);
  let fields: Fields | undefined;
  const raw = (): Fields => {
    fields ??= deserializeTCompactProtocol({ view: new DataView(bytes.buffer, 0, length), offset: 0 });
    return fields;
  };
  return { meta, chunks, footerAt, raw };
}

/** A footer whose counts contradict each other may leave out a column or a row group without another sign. */
function checkCounts(meta: FileMetaData, chunks: ParquetFile['chunks']): void {
  const leaves = meta.schema.filter((element) => element.type !== undefined).length;
  const rows = meta.row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
  const fits = meta.row_groups.every((group, index) =>
    chunks[index]!.every((chunk) => chunk.maxRepetition > 0 || chunk.values === Number(group.num_rows)),
  );
  if (rows !== meta.num_rows || !fits || chunks.some((group) => group.length !== leaves)) {
    throw new Unread('the counts in the Parquet footer contradict each other');
  }
}

function parseFooter(bytes: Uint8Array, length: number): FileMetaData {
  try {
    checkThrift(bytes.subarray(0, length));
    return parquetMetadata(bytes, { geoparquet: false });
  } catch {
    throw new Unread('the Parquet footer is damaged');
  }
}

function chunkOf(at: {
  readonly schema: SchemaTree;
  readonly rowGroup: number;
  readonly at: number;
  readonly column: FileMetaData['row_groups'][number]['columns'][number];
  readonly footerAt: number;
}): Chunk {
  const { column, schema, rowGroup, footerAt } = at;
  const { column_index_offset: indexAt, column_index_length: indexLength } = column;
  if (column.file_path) throw new Unread('a column of the Parquet file lies in another file');
  const data = column.meta_data;
  if (data === undefined || column.crypto_metadata !== undefined) {
    throw new Unread('a column of the Parquet file is encrypted');
  }
  const path = getTreePath(schema, data.path_in_schema).map((node) => node.element);
  const element = path.at(-1)!;
  const dataAt = Number(data.data_page_offset);
  const dictionaryAt = Number(data.dictionary_page_offset ?? 0);
  // A chunk without rows can have a dictionary alone, or nothing: Arrow's writer then says 0.
  const first = dataAt === 0 || dictionaryAt < dataAt;
  const from = dictionaryAt >= MAGIC.length && first ? dictionaryAt : dataAt;
  const length = Number(data.total_compressed_size);
  if (
    element.type !== data.type ||
    !(from >= MAGIC.length || length === 0) ||
    !(length >= 0 && from + length <= footerAt)
  ) {
    throw new Unread('the Parquet footer places a column outside of the file');
  }
  return {
    rowGroup,
    column: at.at,
    name: plainName(path.slice(1)),
    element,
    codec: data.codec,
    from,
    length,
    values: Number(data.num_values),
    maxDefinition: path.slice(1).filter((node) => node.repetition_type !== 'REQUIRED').length,
    maxRepetition: path.slice(1).filter((node) => node.repetition_type === 'REPEATED').length,
    index: indexAt === undefined ? null : { offset: Number(indexAt), length: Number(indexLength ?? 0) },
    bloomFilter: data.bloom_filter_offset === undefined ? null : Number(data.bloom_filter_offset),
  };
}

/** The name as a table's schema has it: `tags.list.element` is `tags.element`, a map's is `m.key` and `m.value`. */
function plainName(path: readonly SchemaElement[]): string {
  return path
    .filter((node, depth) => depth === 0 || !(node.repetition_type === 'REPEATED' && node.num_children))
    .map((node) => (node.name === 'array' || node.name === 'item' ? 'element' : node.name))
    .join('.');
}

/** Parts of the file that no column chunk claims, footer apart: magic bytes, indexes, Bloom filters, and what is dead. */
export function unclaimed(file: ParquetFile): readonly { readonly from: number; readonly to: number }[] {
  const claims = file.chunks
    .flat()
    .map((chunk) => ({ from: chunk.from, to: chunk.from + chunk.length }))
    .sort((a, b) => a.from - b.from);
  const gaps: { from: number; to: number }[] = [];
  let at = 0;
  for (const claim of [...claims, { from: file.footerAt, to: file.footerAt }]) {
    if (claim.from > at) gaps.push({ from: at, to: claim.from });
    at = Math.max(at, claim.to);
  }
  return gaps;
}
