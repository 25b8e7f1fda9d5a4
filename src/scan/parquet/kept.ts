import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import type { LocalReader } from '../../storage/local-reader.ts';
import { Unread } from '../unread.ts';
import type { Chunk, ParquetFile } from './footer.ts';

/** A struct as the format's compact Thrift hands it out: `field_1`, `field_2`, … */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields of Statistics that hold a value: the deprecated greatest and least, and those that replaced them. */
const STATISTICS = ['field_1', 'field_2', 'field_5', 'field_6'] as const;
/** A page index larger than this is damage: it holds two values of each page. */
const MOST_INDEX = 64 << 20;

/** The values in a struct of statistics, in the PLAIN form without a length. */
export function keptIn(statistics: unknown): readonly Uint8Array[] {
  if (typeof statistics !== 'object' || statistics === null) return [];
  return STATISTICS.flatMap((field) => {
    const value = (statistics as Fields)[field];
    return value instanceof Uint8Array ? [value] : [];
  });
}

/** The least and greatest values of a column chunk that the footer keeps. */
export function footerStatistics(file: ParquetFile, chunk: Chunk): readonly Uint8Array[] {
  const groups = file.raw().field_4 as readonly Fields[];
  const columns = groups[chunk.rowGroup]!.field_1 as readonly Fields[];
  return keptIn((columns[chunk.column]!.field_3 as Fields).field_12);
}

/** The least and greatest values of every page of a column chunk, out of its column index. Throws {@link Unread}. */
export function pageIndex(source: LocalReader, chunk: Chunk): readonly Uint8Array[] {
  if (chunk.index === null) return [];
  const { offset, length } = chunk.index;
  if (!(offset >= 0 && length >= 0 && length <= MOST_INDEX && offset + length <= source.size))
    throw new Unread('it lies outside of the file');
  const index = parse(source.read(offset, length));
  const values = [index.field_2, index.field_3];
  if (!values.every((list) => Array.isArray(list))) throw new Unread('it is damaged');
  return values.flat().filter((value): value is Uint8Array => value instanceof Uint8Array);
}

function parse(bytes: Uint8Array): Fields {
  try {
    return deserializeTCompactProtocol({
      view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      offset: 0,
    });
  } catch {
    throw new Unread('it is damaged');
  }
}
