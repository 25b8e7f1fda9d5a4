import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { KeyMatch } from '../keys/key-class.ts';
import type { FoundCause } from './cause.ts';
import type { Judging } from './judging.ts';
import { dropsUnmatched, joinsOn, meetByKey } from './key-joins.ts';
import type { Verdicts } from './verdicts.ts';
import type { WriteView } from './write-view.ts';

/** Sources that hold the person and whose rows no key of the table finds. */
export function uncoveredSources(
  judging: Judging,
  view: WriteView,
  matches: readonly KeyMatch[],
): FoundCause[] {
  return [...view.carrying].flatMap(([source, roles]): FoundCause[] => {
    if (covers(judging, view, source, matches)) return [];
    const name = judging.model.tableNames[source]!;
    if (view.write.opaque.includes(name))
      return [{ code: 'table-only', what: `no event says what of ${name} is in it` }];
    return roles === ROLE.unknown
      ? [{ code: 'unknown-edge', what: `nothing says how ${name} came in` }]
      : [{ code: 'uncovered-source', what: `values of ${name} came in without its key` }];
  });
}

/**
 * Whether every row that a source gave carries a key of the table's (rule L5d): the source's own keys are copied into the
 * matches, or it joins, on a key of its own, a source whose keys are. A source whose own keys do not find all its rows covers
 * nothing: what cannot be found there cannot be found in its copies.
 */
export function covers(
  { model, keys, verdicts }: Pick<Judging, 'model' | 'keys' | 'verdicts'>,
  view: WriteView,
  source: number,
  matches: readonly KeyMatch[],
): boolean {
  if (copiesKeys(view, source, matches, verdicts)) return true;
  return [...view.carrying.keys()].some(
    (other) =>
      other !== source &&
      copiesKeys(view, other, matches, verdicts) &&
      keys.classes.some(
        (keyClass) =>
          joinsOn(view, source, keyClass, verdicts) &&
          joinsOn(view, other, keyClass, verdicts) &&
          dropsUnmatched(view, source, keyClass) &&
          meetByKey(model, view, [source, other], keyClass),
      ),
  );
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
