import type { Literal } from '../values/literal.ts';
import type { Day } from '../values/time.ts';

/** How two values are compared; SQL's meaning, so a comparison with NULL is unknown. */
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/**
 * A condition on the rows of one table: plain data, JSON in and out, the same meaning everywhere it runs.
 *
 * Three-valued, as SQL is. A row is matched only where the predicate is true; a row for which it is false or unknown is
 * kept by a delete and left out by a filter. `column` is a column's full name: a top-level column of exactly that name,
 * else the dotted path of a nested field.
 *
 * `before-day` is true where the day of the column is before `day`, whatever the column's type: a date is its own day, a
 * timestamp's day is its date, an instant's (timestamptz) the date in `timeZone`, a text's what `format` says. Text that is
 * no day in that format is unknown, like NULL. See `resolveDays` for a form with plain comparisons only.
 */
export type Predicate =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  | { readonly kind: 'compare'; readonly column: string; readonly op: Comparison; readonly value: Literal }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly Literal[] }
  | { readonly kind: 'is-null'; readonly column: string }
  | BeforeDay
  | { readonly kind: 'not'; readonly of: Predicate }
  | { readonly kind: 'and'; readonly of: readonly Predicate[] }
  | { readonly kind: 'or'; readonly of: readonly Predicate[] };

/** True where the day of a column is before `day`. */
export interface BeforeDay {
  readonly kind: 'before-day';
  readonly column: string;
  readonly day: Day;
  /** IANA zone in which an instant falls on a day. */
  readonly timeZone: string;
  /** The format of a text column, `dd-MM-yyyy`. */
  readonly format?: string;
}
