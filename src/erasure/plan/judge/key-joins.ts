import type { KeyClass } from '../keys/key-class.ts';
import type { PlanModel } from '../model/model.ts';
import type { Verdicts } from './verdicts.ts';
import type { WriteView } from './write-view.ts';

/** Whether a source joins on the one key that finds its rows, or on its row key. */
export function joinsOn(view: WriteView, source: number, keyClass: KeyClass, verdicts: Verdicts): boolean {
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
export function dropsUnmatched(
  { write, joins, filtered }: WriteView,
  source: number,
  { parts }: KeyClass,
): boolean {
  if (!write.marksDroppedRows) return true;
  const joined = joins.get(source) ?? [];
  return parts.every((part) => joined.some((column) => part.has(column) && filtered.has(column)));
}

/**
 * Whether two tables that both join on a key can only have been joined by it with each other. A table between them that is also
 * joined by another column (`a.id = b.referrer and b.id = c.id`) may have led from one person to another: no event tells which
 * column met which. Partners have the same name, or are keys of the class.
 */
export function meetByKey(
  { columnNames }: PlanModel,
  { joins }: WriteView,
  pair: readonly [number, number],
  { parts }: KeyClass,
): boolean {
  const isKey = (column: number): boolean => parts.some((part) => part.has(column));
  const hasPartner = (table: number, column: number): boolean =>
    [...joins].some(
      ([other, columns]) =>
        other !== table && columns.some((each) => columnNames[each] === columnNames[column]),
    );
  const between = [...joins].filter(([table]) => !pair.includes(table));
  const loose = between.flatMap(([table, columns]) =>
    columns.filter((column) => !isKey(column) && !hasPartner(table, column)),
  );
  const leadsOn = between.some(([, columns]) => columns.some(isKey));
  const twice = [...joins.values()].some((columns) =>
    parts.some((part) => columns.filter((column) => part.has(column)).length > 1),
  );
  return !twice && loose.length < (leadsOn ? 1 : 2);
}
