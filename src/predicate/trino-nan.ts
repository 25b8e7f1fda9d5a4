import type { Comparison } from './predicate.ts';

/**
 * Trino compares NaN as IEEE 754 does (never equal, never greater); everywhere else, and in {@link Predicate}, NaN equals
 * itself and is greater than every number. NULL stays unknown in every branch.
 */
export function trinoFloatComparison(
  column: string,
  op: Comparison,
  constant: string,
  isNan: boolean,
): string {
  const nan = `is_nan(${column})`;
  if (!isNan)
    return op === '>' || op === '>='
      ? `(${column} ${op} ${constant} OR ${nan})`
      : `${column} ${op} ${constant}`;
  switch (op) {
    case '=':
    case '>=':
      return nan;
    case '<>':
    case '<':
      return `NOT ${nan}`;
    case '<=':
      return `(${nan} OR NOT ${nan})`;
    case '>':
      return `(${nan} AND NOT ${nan})`;
  }
}
