import type { BeforeDay, Comparison, Predicate } from '../../../predicate/predicate.ts';
import { addDays } from '../../../values/day.ts';
import type { Literal } from '../../../values/literal.ts';
import type { Day } from '../../../values/time.ts';
import type { PartitionSpec } from '../../partition-spec.ts';
import type { PrimitiveType, Schema } from '../../schema.ts';
import { type Comparable, compareValues, literalValue } from '../manifest/single-value.ts';
import { findField } from '../metadata/schema.ts';
import type { Extent, ValueRange } from './extent.ts';
import { partitionFilter } from './partition-filter.ts';
import { partitionRange } from './partition-range.ts';
import { SortedValues } from './sorted-values.ts';

/** What a predicate can be on some rows: each is true where the metadata does not rule it out. */
export interface Outcomes {
  readonly true: boolean;
  readonly false: boolean;
  readonly unknown: boolean;
}

/** Says what a predicate can be on the rows of a file or of a manifest's files, from metadata alone. */
export type Pruner = (extent: Extent) => Outcomes;

/** What a predicate is read by: the columns that it names, and how their values are put into partitions. */
export interface PruneContext {
  readonly schema: Schema;
  readonly specs: readonly PartitionSpec[];
}

const ANY: Outcomes = { true: true, false: true, unknown: true };

/** Whether there can be a row for which the predicate is true. */
export function mayMatch(outcomes: Outcomes): boolean {
  return outcomes.true;
}

/** Whether the predicate is true for every row. */
export function allMatch(outcomes: Outcomes): boolean {
  return outcomes.true && !outcomes.false && !outcomes.unknown;
}

/**
 * Compiles a predicate to a test on metadata: bounds, null counts and partition values. Any number of values is sorted once and
 * looked up by halving, so no list of ids is long enough to open every file (hazard 47). Where the metadata is silent, anything is
 * possible.
 */
export function pruner(predicate: Predicate, context: PruneContext): Pruner {
  switch (predicate.kind) {
    case 'always':
      return () => ({ true: true, false: false, unknown: false });
    case 'never':
      return () => ({ true: false, false: true, unknown: false });
    case 'not': {
      const of = pruner(predicate.of, context);
      return (extent) => {
        const outcomes = of(extent);
        return { true: outcomes.false, false: outcomes.true, unknown: outcomes.unknown };
      };
    }
    case 'and': {
      const parts = predicate.of.map((part) => pruner(part, context));
      return (extent) => {
        const outcomes = parts.map((part) => part(extent));
        return {
          true: outcomes.every((part) => part.true),
          false: outcomes.some((part) => part.false),
          unknown: outcomes.some((part) => part.unknown),
        };
      };
    }
    case 'or': {
      const parts = predicate.of.map((part) => pruner(part, context));
      return (extent) => {
        const outcomes = parts.map((part) => part(extent));
        return {
          true: outcomes.some((part) => part.true),
          false: outcomes.every((part) => part.false),
          unknown: outcomes.some((part) => part.unknown),
        };
      };
    }
    case 'is-null':
      return onColumn(predicate.column, context, () => ({ nulls }) => ({
        true: nulls !== 'none',
        false: nulls !== 'all',
        unknown: false,
      }));
    case 'compare':
      return onColumn(predicate.column, context, (column) =>
        comparison(predicate.op, predicate.value, column),
      );
    case 'in':
      return onColumn(predicate.column, context, (column) => membership(predicate.values, column));
    case 'before-day':
      return onColumn(predicate.column, context, ({ type }) => beforeDay(predicate, type));
  }
}

/** A column that is tested, and the specs that may read it. */
interface TestedColumn {
  readonly id: number;
  readonly type: PrimitiveType;
  readonly specs: readonly PartitionSpec[];
}

type ColumnTest = (range: ValueRange, extent: Extent) => Outcomes;

function onColumn(
  name: string,
  { schema, specs }: PruneContext,
  testOf: (column: TestedColumn) => ColumnTest,
): Pruner {
  const field = findField(schema, name);
  if (field === undefined || typeof field.type !== 'string' || field.repeated) return () => ANY;
  const column = { id: field.id, type: field.type, specs };
  const test = testOf(column);
  return (extent) => test(partitionRange(extent, column) ?? extent.column(column.id, column.type), extent);
}

function comparison(op: Comparison, literal: Literal, column: TestedColumn): ColumnTest {
  const value = literalValue(column.type, literal);
  if (value === undefined) return () => ANY;
  if (op !== '=') return (range) => withNulls(range, compared(op, range, value));
  const inPartition = partitionFilter({ ...column, literals: [literal] });
  return (range, extent) => {
    const sides = compared(op, range, value);
    return withNulls(range, { ...sides, true: sides.true && inPartition(extent) });
  };
}

function membership(literals: readonly Literal[], column: TestedColumn): ColumnTest {
  const values = literals.map((literal) => literalValue(column.type, literal));
  if (values.includes(undefined)) return () => ANY;
  const sorted = new SortedValues(values as readonly Comparable[]);
  const inPartition = partitionFilter({ ...column, literals });
  return (range, extent) => {
    const { lower, upper } = range;
    const meets = sorted.meets(range);
    const constant = lower !== undefined && upper !== undefined && compareValues(lower, upper) === 0;
    return withNulls(range, { true: meets && inPartition(extent), false: !(meets && constant) });
  };
}

/** In a zone that is not UTC an instant's day can be its neighbour, so a day more on both sides is left open. */
function beforeDay({ day, timeZone }: BeforeDay, type: PrimitiveType): ColumnTest {
  if (type !== 'date' && type !== 'timestamp' && type !== 'timestamptz') return () => ANY;
  const slack = type === 'timestamptz' && timeZone !== 'UTC' ? 1 : 0;
  const at = (date: Day): Comparable => literalValue(type, { type, value: date })!;
  const [first, last] = [at(addDays(day, -slack)), at(addDays(day, slack))];
  return (range) =>
    withNulls(range, {
      true: compared('<', range, last).true,
      false: compared('<', range, first).false,
    });
}

interface Sides {
  readonly true: boolean;
  readonly false: boolean;
}

/** Whether `column op value` can be true, and can be false, for values in a range. */
function compared(op: Comparison, { lower, upper }: ValueRange, value: Comparable): Sides {
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

function withNulls({ nulls }: ValueRange, sides: Sides): Outcomes {
  if (nulls === 'all') return { true: false, false: false, unknown: true };
  return { ...sides, unknown: nulls === 'some' };
}
