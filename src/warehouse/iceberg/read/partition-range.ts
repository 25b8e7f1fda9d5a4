import { dayNumber } from '../../../values/day.ts';
import type { DataFile } from '../manifest/data-file.ts';
import { type Comparable, literalValue } from '../manifest/single-value.ts';
import type { PartitionField, PartitionSpec } from '../metadata/partition.ts';
import type { PrimitiveType } from '../metadata/types.ts';

const DAY = 86_400_000_000n;
const HOUR = 3_600_000_000n;

/** What a partition value says of a column in all rows of its file. */
export interface PartitionRange {
  readonly lower: Comparable | undefined;
  readonly upper: Comparable | undefined;
  /** Left out where the partition does not tell. */
  readonly nulls?: 'none' | 'all';
}

/**
 * The range of a column that a file's partition value proves: exact for identity, an interval for years, months, days and hours
 * and for whole numbers that were truncated. A null partition value means that the column is null in every row. Other transforms
 * prove nothing here.
 */
export function partitionRange(
  file: DataFile,
  fieldId: number,
  type: PrimitiveType,
  specs: readonly PartitionSpec[],
): PartitionRange | undefined {
  const spec = specs.find(({ id }) => id === file.specId);
  const ranges = (spec?.fields ?? []).map((field, index) =>
    field.sourceIds.length === 1 && field.sourceIds[0] === fieldId
      ? rangeOf(field, file, index, type)
      : undefined,
  );
  return ranges.find((range) => range !== undefined);
}

function rangeOf(
  field: PartitionField,
  { partition }: DataFile,
  index: number,
  type: PrimitiveType,
): PartitionRange | undefined {
  const literal = partition[index] ?? null;
  const [, transform = '', width] = /^([a-z]+)(?:\[(\d+)\])?$/.exec(field.transform) ?? [];
  if (transform === 'void' || transform === '') return undefined;
  if (literal === null) return { lower: undefined, upper: undefined, nulls: 'all' };
  switch (transform) {
    case 'identity': {
      const value = literalValue(type, literal);
      return value === undefined ? undefined : { lower: value, upper: value, nulls: 'none' };
    }
    case 'truncate': {
      const value = literalValue(type, literal);
      if (typeof value !== 'bigint' || width === undefined) return undefined;
      const upper = value + BigInt(width) - 1n;
      return mayHaveWrapped(value, upper) ? undefined : { lower: value, upper, nulls: 'none' };
    }
    case 'year':
      return calendar(literalValue('int', literal), 12n, type);
    case 'month':
      return calendar(literalValue('int', literal), 1n, type);
    case 'day':
      return instants(literalValue('date', literal), DAY, type);
    case 'hour':
      return instants(literalValue('int', literal), HOUR, type);
    default:
      return undefined;
  }
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

/** Years or months since 1970. Years that no day can be written for prove nothing. */
function calendar(
  count: Comparable | undefined,
  months: bigint,
  type: PrimitiveType,
): PartitionRange | undefined {
  if (typeof count !== 'bigint') return undefined;
  const first = firstDay(firstUnit(count) * months);
  const next = firstDay((count + 1n) * months);
  if (first === undefined || next === undefined) return undefined;
  const length = type === 'date' ? 1n : DAY;
  if (type !== 'date' && type !== 'timestamp' && type !== 'timestamptz') return undefined;
  return { lower: first * length, upper: next * length - 1n, nulls: 'none' };
}

function firstDay(month: bigint): bigint | undefined {
  const year = 1970 + Math.floor(Number(month) / 12);
  const inYear = ((Number(month) % 12) + 12) % 12;
  if (year < 1 || year > 9999) return undefined;
  const day = `${String(year).padStart(4, '0')}-${String(inYear + 1).padStart(2, '0')}-01`;
  return BigInt(dayNumber(day));
}

function instants(
  count: Comparable | undefined,
  length: bigint,
  type: PrimitiveType,
): PartitionRange | undefined {
  if (typeof count !== 'bigint') return undefined;
  if (type === 'date') return length === DAY ? { lower: count, upper: count, nulls: 'none' } : undefined;
  if (type !== 'timestamp' && type !== 'timestamptz') return undefined;
  return { lower: firstUnit(count) * length, upper: (count + 1n) * length - 1n, nulls: 'none' };
}
