import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { KeyMatch } from '../keys/key-class.ts';
import { misalignments } from './alignment.ts';
import { distinct, type FoundCause } from './cause.ts';
import { changedKeys } from './changed-keys.ts';
import { covers, uncoveredSources } from './coverage.ts';
import { lookalikes, namedLikeKeys, twoPeople, unexplainedIds } from './id-columns.ts';
import type { Judging } from './judging.ts';
import { unknownColumns } from './unknown-columns.ts';
import { untiedRows } from './untied-rows.ts';
import type { Verdict } from './verdicts.ts';
import { type WriteView, writeViews } from './write-view.ts';

/** A table loaded from outside: its declared keys find the person's rows, unless two of them meet in one row (rule L5d). */
export function judgeSource(judging: Judging, table: number): Verdict {
  const matches = judging.keys.subject(table).filter(({ origin }) => origin === null);
  return { matches, causes: twoPeople(judging, matches) };
}

/** A table built from others: which of its keys find every row of the person, and what stands against it (rule L5d). */
export function judgeDerived(judging: Judging, table: number): Verdict {
  const views = writeViews(judging.model, judging.reach, table);
  const matches = findingKeys(judging, views, table);
  const causes: readonly FoundCause[] = [
    ...twoPeople(judging, judging.keys.subject(table)),
    ...namedLikeKeys(judging, table),
    ...(matches.length === 0 ? lookalikes(judging, table) : []),
    ...views.flatMap((view) => againstWrite(judging, view, matches)),
  ];
  const whole = matches.length === 0 && causes.length === 0 ? unexplainedIds(judging, table) : causes;
  return { matches, causes: distinct(whole) };
}

/**
 * The keys by which a table's rows are found (rules L5b and L5c): the subject's own, or the first row key of another table that
 * finds every source's rows where they do not. Never one beside the other: no event tells an empty key from a constant, which
 * would name somebody else in the rows that only the other key finds.
 */
function findingKeys(judging: Judging, views: readonly WriteView[], table: number): readonly KeyMatch[] {
  const findsAll = (matches: readonly KeyMatch[]): boolean =>
    views.every((view) =>
      [...view.carrying.keys()].every((source) => covers(judging, view, source, matches)),
    );
  const subject = judging.keys.subject(table);
  if (subject.length > 0 && findsAll(subject)) return subject;
  const bridges = judging.keys.bridges(table);
  const bridge = bridges.find((candidate) => findsAll([candidate]));
  if (bridge !== undefined) return [bridge];
  return subject.length > 0 ? subject : bridges.slice(0, 1);
}

/** A value that was copied beside the key: where it stands under another key in its source, rows were mixed. */
function copiedValue(
  { verdicts }: Judging,
  view: WriteView,
  match: KeyMatch,
): Pick<FoundCause, 'column' | 'against' | 'under'> {
  for (const { from, fromTable, to, roles } of view.edges) {
    if ((roles & VALUE) !== ROLE.identity || to === view.whole || match.columns.includes(to)) continue;
    const under = verdicts.keysOf(fromTable)?.find((key) => key.length === match.columns.length);
    if (under !== undefined && view.carrying.has(fromTable) && match.keyClass.kind === 'subject')
      return { column: to, against: from, under };
  }
  return {};
}

/** What one write has against a delete by these keys. */
function againstWrite(judging: Judging, view: WriteView, matches: readonly KeyMatch[]): FoundCause[] {
  const { model, keys } = judging;
  return [
    ...uncoveredSources(judging, view, matches),
    ...unknownColumns(judging, view),
    ...changedKeys(model, view, matches),
    ...(matches.length > 0 ? untiedRows(model, view) : []),
    ...matches
      .slice(0, 1)
      .flatMap((match) =>
        misalignments(model, view, match, keys.classes).map(
          (what): FoundCause => ({ code: 'misaligned', what, ...copiedValue(judging, view, match) }),
        ),
      ),
  ];
}
