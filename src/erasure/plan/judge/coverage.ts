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
 * Whether every row that a source gave carries a key of the table's (rule L5d): the source's own keys are copied into the
 * matches, or it joins, on a key of its own, a source whose keys are. A source whose own keys do not find all its rows covers
 * nothing: what cannot be found there cannot be found in its copies.
 */
export function covers(
  view: WriteView,
  source: number,
  matches: readonly KeyMatch[],
  covering: Covering,
): boolean {
  if (copiesKeys(view, source, matches, covering.verdicts)) return true;
  for (const other of view.carrying.keys()) {
    if (other === source || !copiesKeys(view, other, matches, covering.verdicts)) continue;
    const together = covering.classes.some(
      (keyClass) =>
        joinsOn(view, source, keyClass, covering.verdicts) &&
        joinsOn(view, other, keyClass, covering.verdicts) &&
        dropsUnmatched(view, source, keyClass),
    );
    if (together) return true;
  }
  return false;
}

/** Whether all keys that find the source's rows are copied, each into a match; or its row key is, which stands for them. */
function copiesKeys(
  view: WriteView,
  source: number,
  matches: readonly KeyMatch[],
  verdicts: Verdicts,
): boolean {
  const keys = verdicts.keysOf(source);
  const copied = (key: readonly number[]): boolean => matches.some((match) => copies(view, key, match));
  if (keys !== null && keys.length > 0 && keys.every(copied)) return true;
  if (keys === null) return false;
  return matches.some(
    (match) =>
      match.keyClass.kind === 'row' &&
      match.keyClass.table === source &&
      copies(view, match.keyClass.declared[0]!.columns, match),
  );
}

/** Whether the columns of a key are copied, part by part, into those of a match. */
function copies({ edges }: WriteView, key: readonly number[], { columns }: KeyMatch): boolean {
  return (
    key.length === columns.length &&
    columns.every((column, part) =>
      edges.some(
        ({ from, to, roles }) => from === key[part] && to === column && (roles & VALUE) === ROLE.identity,
      ),
    )
  );
}

/** Whether a source joins on the one key that finds its rows, or on its row key. */
function joinsOn(view: WriteView, source: number, keyClass: KeyClass, verdicts: Verdicts): boolean {
  const keys = verdicts.keysOf(source);
  if (keys === null) return false;
  const rowKey = keyClass.kind === 'row' && keyClass.table === source;
  const joined = view.joins.get(source) ?? [];
  return keyClass.parts.every((part, at) =>
    joined.some((column) => part.has(column) && (rowKey || (keys.length === 1 && keys[0]![at] === column))),
  );
}

/**
 * Whether the source's rows without a partner are dropped, as far as the producer shows it: those that an outer join keeps
 * have no key from the other side.
 */
function dropsUnmatched({ write, joins, filtered }: WriteView, source: number, { parts }: KeyClass): boolean {
  if (!write.marksDroppedRows) return true;
  const joined = joins.get(source) ?? [];
  return parts.every((part) => joined.some((column) => part.has(column) && filtered.has(column)));
}
