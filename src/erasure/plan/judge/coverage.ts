import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { KeyClass, KeyMatch } from '../keys/key-class.ts';
import type { Verdicts } from './verdicts.ts';
import type { WriteView } from './write-view.ts';

/** What coverage is judged with: all key classes, and how each source's own rows are found. */
export interface Covering {
  readonly classes: readonly KeyClass[];
  readonly verdicts: Verdicts;
}

/**
 * Whether every row that a source gave carries a key of the table's (rule L5d): the source's own key is copied into the
 * match, or it joins, on a key of its own, a source whose key is. A source whose own keys do not find all its rows covers
 * nothing: what cannot be found there cannot be found in its copies.
 */
export function covers(view: WriteView, source: number, match: KeyMatch, covering: Covering): boolean {
  if (copiesKey(view, source, match, covering.verdicts)) return true;
  for (const other of view.carrying.keys()) {
    if (other === source || !copiesKey(view, other, match, covering.verdicts)) continue;
    const together = covering.classes.some(
      (keyClass) =>
        joinsOn(view, source, keyClass, covering.verdicts) &&
        joinsOn(view, other, keyClass, covering.verdicts),
    );
    if (together) return true;
  }
  return false;
}

/** Whether the source's own key is copied, part by part, into the columns of the match. */
function copiesKey(
  view: WriteView,
  source: number,
  { keyClass, columns }: KeyMatch,
  verdicts: Verdicts,
): boolean {
  return columns.every((column, part) =>
    view.edges.some(
      ({ from, fromTable, to, roles }) =>
        to === column &&
        fromTable === source &&
        (roles & VALUE) === ROLE.identity &&
        keyClass.parts[part]!.has(from) &&
        verdicts.findsBy(source, from, keyClass),
    ),
  );
}

function joinsOn(view: WriteView, source: number, keyClass: KeyClass, verdicts: Verdicts): boolean {
  const joined = view.joins.get(source) ?? [];
  return keyClass.parts.every((part) =>
    joined.some((column) => part.has(column) && verdicts.findsBy(source, column, keyClass)),
  );
}
