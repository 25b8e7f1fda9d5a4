import type { BeforeDay, Comparison, Predicate } from '../../../predicate/predicate.ts';
import { addDays } from '../../../values/day.ts';
import type { Literal } from '../../../values/literal.ts';
import type { Day } from '../../../values/time.ts';
import type { DataFile } from '../manifest/data-file.ts';
import { type Comparable, compareValues, decodeBound, literalValue } from '../manifest/single-value.ts';
import type { PartitionSpec } from '../metadata/partition.ts';
import { findField } from '../metadata/schema.ts';
import type { PrimitiveType, Schema } from '../metadata/types.ts';
import { partitionFilter } from './partition-filter.ts';
import { partitionRange } from './partition-range.ts';

/** What a predicate can be on the rows of a file: each is true where the metadata does not rule it out. */
export interface Outcomes {
  readonly true: boolean;
  readonly false: boolean;
  readonly unknown: boolean;
}

/** Says what a predicate can be on the rows of a file, from its metadata alone. */
export type Pruner = (file: DataFile) => Outcomes;

const ANY: Outcomes = { true: true, false: true, unknown: true };

/** Whether a file can hold a row for which the predicate is true. */
export function mayMatch(outcomes: Outcomes): boolean {
  return outcomes.true;
}

/** Whether the predicate is true for every row of a file. */
export function allMatch(outcomes: Outcomes): boolean {
  return outcomes.true && !outcomes.false && !outcomes.unknown;
}

/** The range of a column's values in a file. A side that is not known is undefined. */
export interface ColumnRange {
  readonly lower: Comparable | undefined;
  readonly upper: Comparable | undefined;
  readonly nulls: 'none' | 'some' | 'all';
}

/**
 * Compiles a predicate to a test on files, by their bounds, null counts and partition values. Any number of values is sorted
 * once and looked up by halving, so no list of ids is long enough to open every file (hazard 47). Where the metadata is silent,
 * anything is possible.
 */
export function pruner(predicate: Predicate, schema: Schema, specs: readonly PartitionSpec[]): Pruner {
  switch (predicate.kind) {
    case 'always':
      return () => ({ true: true, false: false, unknown: false });
    case 'never':
      return () => ({ true: false, false: true, unknown: false });
    case 'not': {
      const of = pruner(predicate.of, schema, specs);
      return (file) => {
        const outcomes = of(file);
        return { true: outcomes.false, false: outcomes.true, unknown: outcomes.unknown };
      };
    }
    case 'and': {
      const parts = predicate.of.map((part) => pruner(part, schema, specs));
      return (file) => {
        const outcomes = parts.map((part) => part(file));
        return {
          true: outcomes.every((part) => part.true),
          false: outcomes.some((part) => part.false),
          unknown: outcomes.some((part) => part.unknown),
        };
      };
    }
    case 'or': {
      const parts = predicate.of.map((part) => pruner(part, schema, specs));
      return (file) => {
        const outcomes = parts.map((part) => part(file));
        return {
          true: outcomes.some((part) => part.true),
          false: outcomes.every((part) => part.false),
          unknown: outcomes.some((part) => part.unknown),
        };
      };
    }
    case 'is-null':
      return onColumn(predicate.column, schema, specs, ({ nulls }) => ({
        true: nulls !== 'none',
        false: nulls !== 'all',
        unknown: false,
      }));
    case 'compare':
      return comparison(predicate.op, predicate.value, predicate.column, schema, specs);
    case 'in':
      return membership(predicate.values, predicate.column, schema, specs);
    case 'before-day':
      return onColumn(predicate.column, schema, specs, (range, type) => beforeDay(predicate, range, type));
  }
}

function onColumn(
  column: string,
  schema: Schema,
  specs: readonly PartitionSpec[],
  outcomes: (range: ColumnRange, type: PrimitiveType, file: DataFile) => Outcomes,
): Pruner {
  const field = findField(schema, column);
  if (field === undefined || typeof field.type !== 'string' || field.repeated) return () => ANY;
  const { id, type } = field;
  return (file) => outcomes(columnRange(file, id, type, specs), type, file);
}

function comparison(
  op: Comparison,
  literal: Literal,
  column: string,
  schema: Schema,
  specs: readonly PartitionSpec[],
): Pruner {
  const kept = partitionsOf(column, [literal], schema, specs);
  return onColumn(column, schema, specs, (range, type, file) => {
    const value = literalValue(type, literal);
    if (value === undefined) return ANY;
    const sides = compared(op, range, value);
    return withNulls(range, op === '=' && sides.true ? { ...sides, true: kept(file) } : sides);
  });
}

function columnOf(schema: Schema, name: string): { readonly id: number; readonly type: PrimitiveType } {
  const { id, type } = findField(schema, name)!;
  return { id, type: type as PrimitiveType };
}

/** Says whether a file's partition can hold one of some values of a column; worked out once. */
function partitionsOf(
  column: string,
  literals: readonly Literal[],
  schema: Schema,
  specs: readonly PartitionSpec[],
): (file: DataFile) => boolean {
  let compiled: ((file: DataFile) => boolean) | undefined;
  return (file) => {
    compiled ??= partitionFilter({ ...columnOf(schema, column), literals, specs });
    return compiled(file);
  };
}

/** Whether `column op value` can be true, and can be false, for values in a range. */
function compared(op: Comparison, { lower, upper }: ColumnRange, value: Comparable): Sides {
  const below = lower === undefined || compareValues(lower, value) < 0;
  const above = upper === undefined || compareValues(upper, value) > 0;
  const reaches = lower === undefined || compareValues(lower, value) <= 0;
  const reached = upper === undefined || compareValues(upper, value) >= 0;
  switch (op) {
    case '=':
      return { true: reaches && reached, false: below || above };
    case '<>':
      return { true: below || above, false: reaches && reached };
    case '<':
      return { true: below, false: reached };
    case '<=':
      return { true: reaches, false: above };
    case '>':
      return { true: above, false: reaches };
    case '>=':
      return { true: reached, false: below };
  }
}

interface Sides {
  readonly true: boolean;
  readonly false: boolean;
}

/** In a zone that is not UTC an instant's day can be its neighbour, so a day more on both sides is left open. */
function beforeDay({ day, timeZone }: BeforeDay, range: ColumnRange, type: PrimitiveType): Outcomes {
  const literal = instantType(type);
  if (literal === undefined) return ANY;
  const slack = type === 'timestamptz' && timeZone !== 'UTC' ? 1 : 0;
  const at = (date: Day): Comparable => literalValue(type, { type: literal, value: date })!;
  return withNulls(range, {
    true: compared('<', range, at(addDays(day, slack))).true,
    false: compared('<', range, at(addDays(day, -slack))).false,
  });
}

function instantType(type: PrimitiveType): 'date' | 'timestamp' | 'timestamptz' | undefined {
  return type === 'date' || type === 'timestamp' || type === 'timestamptz' ? type : undefined;
}

function membership(
  literals: readonly Literal[],
  column: string,
  schema: Schema,
  specs: readonly PartitionSpec[],
): Pruner {
  let sorted: { readonly type: PrimitiveType; readonly values: readonly Comparable[] | null } | undefined;
  const kept = partitionsOf(column, literals, schema, specs);
  return onColumn(column, schema, specs, (range, type, file) => {
    sorted ??= { type, values: sortedValues(type, literals) };
    const { values } = sorted;
    if (values === null) return ANY;
    const first = range.lower === undefined ? 0 : firstNotBelow(values, range.lower);
    const found = values[first];
    const inside =
      found !== undefined && (range.upper === undefined || compareValues(found, range.upper) <= 0);
    const { lower, upper } = range;
    const constant = lower !== undefined && upper !== undefined && compareValues(lower, upper) === 0;
    return withNulls(range, { true: inside && kept(file), false: !(inside && constant) });
  });
}

function sortedValues(type: PrimitiveType, literals: readonly Literal[]): readonly Comparable[] | null {
  const values: Comparable[] = [];
  for (const literal of literals) {
    const value = literalValue(type, literal);
    if (value === undefined) return null;
    values.push(value);
  }
  return values.sort(compareValues);
}

function firstNotBelow(values: readonly Comparable[], lower: Comparable): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareValues(values[middle]!, lower) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function withNulls({ nulls }: ColumnRange, sides: Sides): Outcomes {
  if (nulls === 'all') return { true: false, false: false, unknown: true };
  return { ...sides, unknown: nulls === 'some' };
}

function columnRange(
  file: DataFile,
  fieldId: number,
  type: PrimitiveType,
  specs: readonly PartitionSpec[],
): ColumnRange {
  const { metrics } = file;
  const nulls = nullsOf(file, fieldId);
  const partition = partitionRange(file, fieldId, type, specs);
  if (partition !== undefined) return { ...partition, nulls: partition.nulls ?? nulls };
  const lower = metrics.lowerBounds.get(fieldId);
  const upper = metrics.upperBounds.get(fieldId);
  // Bounds leave NaN out, and every engine sorts it above all numbers.
  const nan = (type === 'float' || type === 'double') && metrics.nanCounts.get(fieldId) !== 0n;
  return {
    lower: lower === undefined ? undefined : decodeBound(type, lower),
    upper: upper === undefined || nan ? undefined : decodeBound(type, upper),
    nulls,
  };
}

/** A count of nulls says something only beside the count of values: a writer may leave either out. */
function nullsOf({ metrics, recordCount }: DataFile, fieldId: number): 'none' | 'some' | 'all' {
  const nulls = metrics.nullCounts.get(fieldId);
  if (nulls === undefined) return 'some';
  if (nulls === 0n) return 'none';
  return nulls === recordCount && metrics.valueCounts.get(fieldId) === nulls ? 'all' : 'some';
}
