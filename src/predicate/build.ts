import type { Literal } from '../values/literal.ts';
import type { BeforeDay, Comparison, Predicate } from './predicate.ts';

/** True for every row. */
export function always(): Predicate {
  return { kind: 'always' };
}

/** True for no row. */
export function never(): Predicate {
  return { kind: 'never' };
}

/** Compares a column with a constant; unknown where the column is NULL. */
export function compare(column: string, op: Comparison, value: Literal): Predicate {
  return { kind: 'compare', column, op, value };
}

/** @example equals('status', { type: 'text', value: 'closed' }) */
export function equals(column: string, value: Literal): Predicate {
  return compare(column, '=', value);
}

/** True where the column is one of `values`; `never` for an empty list. */
export function oneOf(column: string, values: readonly Literal[]): Predicate {
  return values.length === 0 ? never() : { kind: 'in', column, values };
}

/** True where the column is NULL, also because a struct around it is. */
export function isNull(column: string): Predicate {
  return { kind: 'is-null', column };
}

/** True where the day of the column is before `day`; see {@link Predicate}. */
export function beforeDay(column: string, options: Omit<BeforeDay, 'kind' | 'column'>): Predicate {
  return { kind: 'before-day', column, ...options };
}

/** The three-valued negation: unknown stays unknown. */
export function not(of: Predicate): Predicate {
  return { kind: 'not', of };
}

/** True where all are; `always` for none. */
export function and(...of: readonly Predicate[]): Predicate {
  if (of.length === 0) return always();
  return of.length === 1 ? of[0]! : { kind: 'and', of };
}

/** True where any is; `never` for none. */
export function or(...of: readonly Predicate[]): Predicate {
  if (of.length === 0) return never();
  return of.length === 1 ? of[0]! : { kind: 'or', of };
}
