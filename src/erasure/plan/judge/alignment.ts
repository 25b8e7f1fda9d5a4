import { AGGREGATION, ROLE, VALUE } from '../../../lineage/roles.ts';
import type { KeyClass, KeyMatch } from '../keys/key-class.ts';
import type { PlanModel } from '../model/model.ts';
import type { WriteView } from './write-view.ts';

/**
 * Reasons to think that a row with one person's key holds another person's values (rule L5d). Edges that are true and
 * correctly labelled do not exclude it: what gives it away is how the sources were read.
 */
export function misalignments(
  model: PlanModel,
  view: WriteView,
  match: KeyMatch,
  classes: readonly KeyClass[],
): readonly string[] {
  const nameOf = (table: number): string => model.tableNames[table]!;
  const found: string[] = [];
  for (const source of view.carrying.keys()) {
    const name = nameOf(source);
    if (view.write.repeated.includes(name) || view.write.mentioned.includes(name))
      found.push(`${name} is read twice by the job`);
    else if (view.write.unlisted) found.push(`${name} may be read twice: no event lists what the job read`);
    else if (mayJoinItself(model, view, source, classes)) found.push(`${name} may be joined with itself`);
    else if (joinsPeople(model, view, source, match, classes))
      found.push(`${name} is joined with other people's rows by a column that is no key of theirs`);
  }
  const windowed = throughWindow(view);
  if (windowed !== null) found.push(`${model.columnNames[windowed]!} takes values through a window`);
  const summed = summedUp(view, match);
  if (summed !== null)
    found.push(`${model.columnNames[summed]!} adds up rows that are not grouped by the key`);
  return found;
}

/**
 * A join needs a partner for each of its columns. A source's join column that no other table can be the partner of was
 * joined with the source itself: partners have the same name, or are keys of the same kind, or there is only one column.
 */
function mayJoinItself(
  model: PlanModel,
  view: WriteView,
  source: number,
  classes: readonly KeyClass[],
): boolean {
  const own = view.joins.get(source) ?? [];
  if (own.length === 0) return false;
  const others = [...view.joins].flatMap(([table, columns]) =>
    model.tableNames[table] === model.tableNames[source] ? [] : columns,
  );
  if (others.length === 0) return true;
  if (own.length === 1) return false;
  const keyOf = (column: number): KeyClass | undefined =>
    classes.find(({ parts }) => parts.some((part) => part.has(column)));
  return own.some((column) => {
    const keyClass = keyOf(column);
    if (keyClass !== undefined && keyClass.parts.length === 1) {
      if (own.filter((other) => keyOf(other) === keyClass).length > 1) return true;
      if (others.some((other) => keyOf(other) === keyClass)) return false;
    }
    return !others.some((other) => model.columnNames[other] === model.columnNames[column]);
  });
}

/**
 * A source that is not copied by its own key, and whose join columns beside its key meet those of another source of
 * people's rows: a row may then hold a person whom its key does not name.
 */
function joinsPeople(
  model: PlanModel,
  view: WriteView,
  source: number,
  match: KeyMatch,
  classes: readonly KeyClass[],
): boolean {
  const isKey = (column: number): boolean =>
    classes.some(({ parts }) => parts.some((part) => part.has(column)));
  const loose = (view.joins.get(source) ?? []).filter((column) => !isKey(column));
  if (loose.length === 0 || match.columns.length === 0) return false;
  return [...view.carrying.keys()].some(
    (other) =>
      model.tableNames[other] !== model.tableNames[source] &&
      (view.joins.get(other) ?? []).some(
        (column) =>
          !isKey(column) && loose.some((own) => model.columnNames[own] === model.columnNames[column]),
      ),
  );
}

/**
 * A column that takes a value by a window function, so perhaps from another row. A window that is named for the whole table
 * may stand behind any value that is no plain copy.
 */
function throughWindow({ edges, carrying, whole }: WriteView): number | null {
  const windowed = new Set(edges.filter(({ roles }) => (roles & ROLE.window) !== 0).map(({ to }) => to));
  const edge = edges.find(({ to, fromTable, roles }) => {
    const value = roles & VALUE;
    if (value === 0 || !carrying.has(fromTable)) return false;
    return windowed.has(to) || (windowed.has(whole) && value !== ROLE.identity);
  });
  return edge?.to ?? null;
}

/** A column that adds up a source's rows although the write groups by no key: it holds many people's values. */
function summedUp(view: WriteView, { keyClass, columns }: KeyMatch): number | null {
  const grouped = [...view.grouped].some(
    (column) =>
      keyClass.parts.some((part) => part.has(column)) ||
      view.edges.some(({ from, to }) => from === column && columns.includes(to)),
  );
  if (grouped) return null;
  const edge = view.edges.find(
    ({ fromTable, roles }) => (roles & AGGREGATION) !== 0 && view.carrying.has(fromTable),
  );
  return edge?.to ?? null;
}
