import type { ClearColumn } from '../governance/governance.ts';
import { always, compare, isNull, not, or } from '../predicate/index.ts';
import type { Predicate } from '../predicate/predicate.ts';

/**
 * True for rows in which one of the columns still, or again, holds what an erasure clears: so that clearing twice changes
 * nothing, and a value that came back is seen. True for every row where a token stands in, which only its key could tell.
 */
export function notYetCleared(columns: readonly ClearColumn[]): Predicate {
  return or(
    ...columns.map(({ column, with: put }) => {
      if (put.kind === 'null') return not(isNull(column));
      return put.kind === 'constant' ? compare(column, '<>', { type: 'text', value: put.value }) : always();
    }),
  );
}
