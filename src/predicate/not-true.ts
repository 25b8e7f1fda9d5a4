import { always, isNull, never, not, or } from './build.ts';
import type { Predicate } from './predicate.ts';

/** The rows for which `predicate` is false or unknown: what a delete by it keeps, and `not` alone would lose where NULL stands. */
export function notTrue(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'always':
      return never();
    case 'never':
      return always();
    case 'compare':
    case 'in':
    case 'before-day':
      return or(not(predicate), isNull(predicate.column));
    case 'is-null':
      return not(predicate);
    case 'not':
      return notFalse(predicate.of);
    case 'and':
      return { kind: 'or', of: predicate.of.map(notTrue) };
    case 'or':
      return { kind: 'and', of: predicate.of.map(notTrue) };
  }
}

/** The rows for which `predicate` is true or unknown. */
function notFalse(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'compare':
    case 'in':
    case 'before-day':
      return or(predicate, isNull(predicate.column));
    case 'not':
      return notTrue(predicate.of);
    case 'and':
      return { kind: 'and', of: predicate.of.map(notFalse) };
    case 'or':
      return { kind: 'or', of: predicate.of.map(notFalse) };
    default:
      return predicate;
  }
}
