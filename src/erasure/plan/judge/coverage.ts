import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { KeyClass, KeyMatch } from '../keys/key-class.ts';
import type { WriteView } from './write-view.ts';

/** How a source's rows are found in the table: by its own key, through a join on a key, or not at all. */
export type Coverage = 'copied' | 'joined' | 'none';

/**
 * Whether every row that a source gave carries a key of the table's (rule L5d): its key is copied into the match, or it
 * joins, on a key that both have, a source whose key is.
 */
export function coverageOf(
  view: WriteView,
  source: number,
  match: KeyMatch,
  classes: readonly KeyClass[],
): Coverage {
  if (copiesKey(view, source, match)) return 'copied';
  for (const other of view.carrying.keys()) {
    if (other === source || !copiesKey(view, other, match)) continue;
    const together = classes.some(
      (keyClass) => joinsOn(view, source, keyClass) && joinsOn(view, other, keyClass),
    );
    if (together) return 'joined';
  }
  return 'none';
}

/** Whether the source's own key is copied, part by part, into the columns of the match. */
export function copiesKey(view: WriteView, source: number, { keyClass, columns }: KeyMatch): boolean {
  return columns.every((column, part) =>
    view.edges.some(
      ({ from, fromTable, to, roles }) =>
        to === column &&
        fromTable === source &&
        (roles & VALUE) === ROLE.identity &&
        keyClass.parts[part]!.has(from),
    ),
  );
}

function joinsOn(view: WriteView, source: number, { parts }: KeyClass): boolean {
  const joined = view.joins.get(source) ?? [];
  return parts.every((part) => joined.some((column) => part.has(column)));
}
