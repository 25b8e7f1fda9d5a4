import { dayNumber } from '../../../values/day.ts';
import type { PartitionField, PartitionSpec } from '../../partition-spec.ts';
import type { PrimitiveType } from '../../schema.ts';
import type { Comparable } from '../manifest/single-value.ts';
import type { Extent, ValueRange } from './extent.ts';

const DAY = 86_400_000_000n;
const HOUR = 3_600_000_000n;

/** The column whose range is asked for. */
export interface PartitionSource {
  /** Its field id, and its type now. */
  readonly id: number;
  readonly type: PrimitiveType;
  readonly specs: readonly PartitionSpec[];
}

/**
 * The range of a column that partition values prove: exact for identity, an interval for years, months, days and hours and for whole
 * numbers that were truncated. A null partition value means that the column is null in every row. Other transforms prove nothing
 * more.
 */
export function partitionRange(extent: Extent, { id, type, specs }: PartitionSource): ValueRange | undefined {
  const spec = specs.find((one) => one.id === extent.specId);
  for (const [index, field] of (spec?.fields ?? []).entries()) {
    if (field.sourceIds.length !== 1 || field.sourceIds[0] !== id) continue;
    const range = rangeOf(field, index, { extent, type });
    if (range !== undefined) return range;
  }
  return undefined;
}

interface Reading {
  readonly extent: Extent;
  readonly type: PrimitiveType;
}

function rangeOf(
  { transform }: PartitionField,
  index: number,
  { extent, type }: Reading,
): ValueRange | undefined {
  const [, name, width] = /^([a-z]+)(?:\[(\d+)\])?$/.exec(transform) ?? [];
  switch (name) {
    case 'identity':
      return extent.partition(index, type);
    case 'bucket':
      return onlyNulls(extent.partition(index, 'int'));
    case 'truncate': {
      const values = extent.partition(index, type);
      return typeof values?.lower === 'bigint' && width !== undefined
        ? untruncated(values, BigInt(width))
        : onlyNulls(values);
    }
    case 'year':
      return calendar(extent.partition(index, 'int'), { months: 12n, type });
    case 'month':
      return calendar(extent.partition(index, 'int'), { months: 1n, type });
    case 'day':
      return instants(extent.partition(index, 'date'), { length: DAY, type });
    case 'hour':
      return instants(extent.partition(index, 'int'), { length: HOUR, type });
    default:
      return undefined;
  }
}

/** All that null proves: the transforms that are known make it of null alone. */
function onlyNulls(values: ValueRange | undefined): ValueRange | undefined {
  return values?.nulls === 'all' ? values : undefined;
}

function untruncated({ lower, upper, nulls }: ValueRange, width: bigint): ValueRange | undefined {
  if (typeof lower !== 'bigint' || typeof upper !== 'bigint') return undefined;
  const last = upper + width - 1n;
  return mayHaveWrapped(lower, last) ? undefined : { lower, upper: last, nulls };
}

/** The largest int and the largest long. */
const LARGEST = [2n ** 31n - 1n, 2n ** 63n - 1n] as const;

/**
 * Java truncates in 32 or 64 bits: what should lie below the smallest number of the type comes out as one whose interval reaches
 * over the largest (-2147483648 in steps of 10 is 2147483646). The column may have become a long since.
 */
function mayHaveWrapped(lower: bigint, upper: bigint): boolean {
  return LARGEST.some((largest) => lower <= largest && upper > largest);
}

/**
 * The first unit that a file may hold rows of. Writers before Iceberg 0.11 rounded what is before 1970 towards zero, so -1 may be
 * the end of -2, and 0 the end of -1; Java's own ProjectionUtil reckons with that.
 */
function firstUnit(count: bigint): bigint {
  return count <= 0n ? count - 1n : count;
}

interface Units {
  readonly months: bigint;
  readonly type: PrimitiveType;
}

/** Years or months since 1970. Years that no day can be written for prove nothing. */
function calendar(values: ValueRange | undefined, { months, type }: Units): ValueRange | undefined {
  const length = type === 'date' ? 1n : isInstant(type) ? DAY : undefined;
  if (!isCounted(values) || length === undefined) return onlyNulls(values);
  const first = firstDay(firstUnit(values.lower) * months);
  const next = firstDay((values.upper + 1n) * months);
  if (first === undefined || next === undefined) return undefined;
  return { lower: first * length, upper: next * length - 1n, nulls: values.nulls };
}

function firstDay(month: bigint): bigint | undefined {
  const year = 1970 + Math.floor(Number(month) / 12);
  const inYear = ((Number(month) % 12) + 12) % 12;
  if (year < 1 || year > 9999) return undefined;
  const day = `${String(year).padStart(4, '0')}-${String(inYear + 1).padStart(2, '0')}-01`;
  return BigInt(dayNumber(day));
}

interface Lengths {
  readonly length: bigint;
  readonly type: PrimitiveType;
}

/** Days or hours since 1970. */
function instants(values: ValueRange | undefined, { length, type }: Lengths): ValueRange | undefined {
  if (!isCounted(values)) return onlyNulls(values);
  const { lower, upper, nulls } = values;
  if (type === 'date') return length === DAY ? { lower, upper, nulls } : undefined;
  if (!isInstant(type)) return undefined;
  return { lower: firstUnit(lower) * length, upper: (upper + 1n) * length - 1n, nulls };
}

interface Counted extends ValueRange {
  readonly lower: bigint;
  readonly upper: bigint;
}

function isCounted(values: ValueRange | undefined): values is Counted {
  const isCount = (side: Comparable | undefined): boolean => typeof side === 'bigint';
  return values !== undefined && isCount(values.lower) && isCount(values.upper);
}

function isInstant(type: PrimitiveType): boolean {
  return type === 'timestamp' || type === 'timestamptz';
}
