import type { DataFile } from '../../data-file.ts';
import type { PrimitiveType } from '../../schema.ts';
import type { ManifestEntry } from '../manifest/manifest-list.ts';
import { type Comparable, decodeBound, literalValue } from '../manifest/single-value.ts';
import { uuidRange } from './uuid-range.ts';

/** A range that holds some values. A side that is not known is undefined. */
export interface ValueRange {
  readonly lower: Comparable | undefined;
  readonly upper: Comparable | undefined;
  readonly nulls: 'none' | 'some' | 'all';
}

/** What metadata says of the rows of one data file, or of those of all files of a manifest. */
export interface Extent {
  readonly specId: number;
  /** The values of a field of the partition spec, which are of a type; undefined where nothing is known of them. */
  partition(index: number, type: PrimitiveType): ValueRange | undefined;
  /** The values of a column, by the metrics that are kept of it. */
  column(id: number, type: PrimitiveType): ValueRange;
}

/** What a manifest says of a data file. */
export function fileExtent(file: DataFile): Extent {
  return {
    specId: file.specId,
    partition: (index, type) => partitionOf(file, index, type),
    column: (id, type) => metricsRange(file, id, type),
  };
}

/**
 * What the partition of a data file says of its rows, without its metrics. Bounds that a writer got wrong (apache/iceberg-rust#1519,
 * apache/iceberg#14216) can hide a row, which the scan finds; taken for the whole of a file, they would delete rows of others.
 */
export function partitionExtent(file: DataFile): Extent {
  return { ...fileExtent(file), column: () => UNKNOWN };
}

/** What a manifest list says of the files of a manifest: the range of each partition field. */
export function manifestExtent(manifest: ManifestEntry): Extent {
  return {
    specId: manifest.specId,
    partition: (index, type) => summaryOf(manifest, index, type),
    column: () => UNKNOWN,
  };
}

const UNKNOWN: ValueRange = { lower: undefined, upper: undefined, nulls: 'some' };

function partitionOf({ partition }: DataFile, index: number, type: PrimitiveType): ValueRange | undefined {
  const literal = partition[index] ?? null;
  if (literal === null) return { lower: undefined, upper: undefined, nulls: 'all' };
  const value = literalValue(type, literal);
  return value === undefined ? undefined : { lower: value, upper: value, nulls: 'none' };
}

function summaryOf(
  { partitions }: ManifestEntry,
  index: number,
  type: PrimitiveType,
): ValueRange | undefined {
  const summary = partitions[index];
  if (summary === undefined) return undefined;
  const { lowerBound, upperBound, containsNull, containsNan } = summary;
  return rangeOf(type, {
    lower: lowerBound === null ? undefined : decodeBound(type, lowerBound),
    upper:
      upperBound === null || mayHoldNan(type, containsNan === false)
        ? undefined
        : decodeBound(type, upperBound),
    nulls: containsNull ? 'some' : 'none',
  });
}

function metricsRange({ metrics, recordCount }: DataFile, id: number, type: PrimitiveType): ValueRange {
  const lower = metrics.lowerBounds.get(id);
  const upper = metrics.upperBounds.get(id);
  const nan = mayHoldNan(type, metrics.nanCounts.get(id) === 0n);
  return rangeOf(type, {
    lower: lower === undefined ? undefined : decodeBound(type, lower),
    upper: upper === undefined || nan ? undefined : decodeBound(type, upper),
    nulls: nullsOf(recordCount, metrics.nullCounts.get(id), metrics.valueCounts.get(id)),
  });
}

function rangeOf(type: PrimitiveType, range: ValueRange): ValueRange {
  return type === 'uuid' ? uuidRange(range) : range;
}

/** Bounds leave NaN out, and every engine sorts it above all numbers: then an upper bound proves nothing. */
function mayHoldNan(type: PrimitiveType, deniedBy: boolean): boolean {
  return (type === 'float' || type === 'double') && !deniedBy;
}

/** A count of nulls says something only beside the count of values: a writer may leave either out. */
function nullsOf(
  rows: bigint,
  nulls: bigint | undefined,
  values: bigint | undefined,
): 'none' | 'some' | 'all' {
  if (nulls === undefined) return 'some';
  if (nulls === 0n) return 'none';
  return nulls === rows && values === nulls ? 'all' : 'some';
}
