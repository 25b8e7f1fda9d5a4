import type { Predicate } from '../../predicate/predicate.ts';

/** The rows for which `predicate` is false or unknown: what a delete by it keeps. */
export function isNotTrue(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'always':
      return { kind: 'never' };
    case 'never':
      return { kind: 'always' };
    case 'compare':
    case 'in':
    case 'before-day':
      return {
        kind: 'or',
        of: [
          { kind: 'not', of: predicate },
          { kind: 'is-null', column: predicate.column },
        ],
      };
    case 'is-null':
      return { kind: 'not', of: predicate };
    case 'not':
      return isNotFalse(predicate.of);
    case 'and':
      return { kind: 'or', of: predicate.of.map(isNotTrue) };
    case 'or':
      return { kind: 'and', of: predicate.of.map(isNotTrue) };
  }
}

/** The rows for which `predicate` is true or unknown. */
function isNotFalse(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'compare':
    case 'in':
    case 'before-day':
      return { kind: 'or', of: [predicate, { kind: 'is-null', column: predicate.column }] };
    case 'not':
      return isNotTrue(predicate.of);
    case 'and':
      return { kind: 'and', of: predicate.of.map(isNotFalse) };
    case 'or':
      return { kind: 'or', of: predicate.of.map(isNotFalse) };
    default:
      return predicate;
  }
}
