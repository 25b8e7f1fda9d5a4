import type { ColumnChunk, ColumnMetaData, FileMetaData, ParquetParsers } from 'hyparquet';
import { type Comparable, compareValues } from '../../../iceberg/manifest/single-value.ts';
import type { FileLeaf } from './leaf.ts';

/**
 * What the footer of a file that DuckDB wrote says of a leaf, over all row groups. `least` and `greatest` are exact: null where there
 * are no values, undefined where the footer does not tell. It does not for texts above 256 bytes, and for numbers one of which is
 * NaN; so numbers with a least one have none.
 */
export interface LeafStatistics {
  readonly nulls: bigint;
  readonly least: Comparable | null | undefined;
  readonly greatest: Comparable | null | undefined;
}

/** Reads statistics as they are stored, none of them rounded: days and microseconds as integers, texts and uuids as bytes. */
export const EXACT: Partial<ParquetParsers> = {
  dateFromDays: BigInt,
  timestampFromMilliseconds: () => undefined,
  timestampFromMicroseconds: (micros) => micros,
  timestampFromNanoseconds: (nanos) => nanos,
  stringFromBytes: (bytes) => bytes,
  uuidFromBytes: (bytes) => bytes,
};

/** The statistics of a leaf in all row groups; undefined where one of them does not count nulls. */
export function leafStatistics(
  leaf: FileLeaf,
  index: number,
  groups: FileMetaData['row_groups'],
): LeafStatistics | undefined {
  let all: LeafStatistics = { nulls: 0n, least: null, greatest: null };
  for (const group of groups) {
    const chunk = group.columns[index]?.meta_data;
    const nulls = chunk?.statistics?.null_count;
    if (chunk === undefined || nulls === undefined) return undefined;
    const [least, greatest] = nulls === chunk.num_values ? [null, null] : extremes(leaf, chunk);
    all = {
      nulls: all.nulls + nulls,
      least: outermost(all.least, least, -1),
      greatest: outermost(all.greatest, greatest, 1),
    };
  }
  return all;
}

/**
 * Whether a chunk of bytes has only the statistics that Parquet deprecated: writers of then compared bytes with their signs, others without,
 * and DuckDB takes them for true. INT96 never had an order.
 */
export function hasVagueStatistics({ meta_data: chunk }: ColumnChunk): boolean {
  if (chunk?.type === 'INT96') return true;
  if (chunk?.type !== 'BYTE_ARRAY' && chunk?.type !== 'FIXED_LEN_BYTE_ARRAY') return false;
  const { min, max, min_value: least, max_value: greatest } = chunk.statistics ?? {};
  return (min !== undefined && least === undefined) || (max !== undefined && greatest === undefined);
}

/** Whether a chunk of floating numbers has a dictionary, and a zero may be in it. */
export function hasZeroInDictionary({ meta_data: chunk }: ColumnChunk): boolean {
  if (chunk?.type !== 'FLOAT' && chunk?.type !== 'DOUBLE') return false;
  if (!chunk.encodings.some((encoding) => encoding.endsWith('_DICTIONARY'))) return false;
  const { min_value: least, max_value: greatest } = chunk.statistics ?? {};
  return !((typeof least === 'number' && least > 0) || (typeof greatest === 'number' && greatest < 0));
}

function extremes(leaf: FileLeaf, { statistics }: ColumnMetaData): readonly (Comparable | undefined)[] {
  const least = statistics?.is_min_value_exact === true ? exact(leaf, statistics.min_value) : undefined;
  const greatest = statistics?.is_max_value_exact === true ? exact(leaf, statistics.max_value) : undefined;
  return [least, greatest];
}

/** Decimals come rounded to a double, so they are not known. */
function exact({ physical, decimal }: FileLeaf, value: unknown): Comparable | undefined {
  if (decimal !== null) return undefined;
  if (typeof value === 'number') {
    if (physical === 'FLOAT' || physical === 'DOUBLE') return Number.isNaN(value) ? undefined : value;
    return BigInt(value);
  }
  // Bytes of the footer's own buffer, which is not kept for them.
  if (value instanceof Uint8Array) return value.slice();
  return typeof value === 'bigint' || typeof value === 'boolean' ? value : undefined;
}

type Extreme = LeafStatistics['least'];

function outermost(one: Extreme, other: Extreme, side: -1 | 1): Extreme {
  if (one === undefined || other === undefined) return undefined;
  if (one === null || other === null) return one ?? other;
  return Math.sign(compareValues(one, other)) === side ? one : other;
}
