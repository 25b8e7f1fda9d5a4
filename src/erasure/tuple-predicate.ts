import { and, equals, never, oneOf, or } from '../predicate/index.ts';
import type { Predicate } from '../predicate/predicate.ts';
import type { Literal } from '../values/literal.ts';
import type { Tuple } from '../warehouse/warehouse.ts';

/**
 * True for the rows whose `columns` together are one of `tuples` (hazard 5: the parts of a composite id belong together).
 * `never` for no tuples; a tuple with a null in it matches nothing and is left out.
 *
 * @example tupleIn(['tenant', 'nr'], [[{ type: 'text', value: 'a' }, { type: 'long', value: '7' }]])
 */
export function tupleIn(columns: readonly string[], tuples: readonly Tuple[]): Predicate {
  const whole = tuples.filter(isWhole);
  if (whole.length === 0) return never();
  if (columns.length === 1) {
    return oneOf(
      columns[0]!,
      whole.map((tuple) => tuple[0]!),
    );
  }
  return or(...whole.map((tuple) => and(...columns.map((column, part) => equals(column, tuple[part]!)))));
}

/** Whether no part of the tuple is null. */
export function isWhole(tuple: Tuple): tuple is readonly Literal[] {
  return tuple.every((part) => part !== null);
}
