import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { KeyMatch } from '../keys/key-class.ts';
import { columnName, type PlanModel } from '../model/model.ts';
import type { FoundCause } from './cause.ts';
import type { Judging } from './judging.ts';

/** Two keys of the subject in one row: it belongs to two people, or says one person twice. */
export function twoPeople({ model }: Judging, matches: readonly KeyMatch[]): FoundCause[] {
  if (matches.length < 2) return [];
  const keys = matches.map(({ columns }) => columns);
  const columns = [...new Set(keys.flat())].map((column) => model.columnNames[column]!);
  return [{ code: 'two-people', what: `${columns.join(' and ')} both name a person`, keys }];
}

/**
 * Columns that are named, or declared, as ids while lineage says that something else is in them (rule L5a). A rebuild answers it
 * where all that came in stood in rows of the person, which are gone by then. It does not where a value came from what is
 * nobody's: that may be an id which nobody declared, and the job would bring it back.
 */
export function namedLikeKeys(judging: Judging, table: number): FoundCause[] {
  const { model, ids, keys, reach } = judging;
  const { edges } = model;
  const found: FoundCause[] = [];
  for (const declared of ids.in(table)) {
    const known = keys.classes.find(
      ({ kind, parts }) => kind === 'subject' && parts.length === declared.columns.length,
    );
    for (const [part, column] of declared.columns.entries()) {
      const copies = known?.parts[part];
      if (copies?.has(column) === true && !declared.identifies) continue;
      const values = valuesInto(model, column);
      const other = values.find(
        (edge) => (edges.roles[edge]! & VALUE) !== ROLE.unknown && copies?.has(edges.from[edge]!) !== true,
      );
      if (other === undefined) continue;
      const circle = circleInto(model, column);
      const stays =
        declared.identifies || circle !== null || values.some((edge) => !reach.hasValue(edges.from[edge]!));
      const what = `${model.columnNames[column]!} is named like an id and ${contentOf(model, edges.from[other]!, circle)}`;
      const against = known?.declared[0]?.columns[part];
      found.push({
        code: 'named-like-a-key',
        what,
        column,
        ...(stays && { stays }),
        ...(against !== undefined && { against }),
      });
    }
  }
  return found;
}

/** The edges by which values of other columns came into one. */
function valuesInto({ edges }: PlanModel, column: number): readonly number[] {
  return [...edges.into(column)].filter(
    (edge) => edges.from[edge] !== column && (edges.roles[edge]! & VALUE) !== 0,
  );
}

function contentOf(model: PlanModel, from: number, circle: readonly number[] | null): string {
  return circle === null
    ? `holds ${columnName(model, from)}`
    : `comes out of a circle of copies alone: ${circle.map((each) => columnName(model, each)).join(', ')}`;
}

/** The columns that a column comes from, where all of them are copies of each other and no source leads in; null where one does. */
function circleInto(model: PlanModel, column: number): readonly number[] | null {
  const { edges } = model;
  const queue = [column];
  const seen = new Set(queue);
  for (const at of queue) {
    const inputs = valuesInto(model, at);
    if (inputs.length === 0) return null;
    for (const edge of inputs) {
      if ((edges.roles[edge]! & VALUE) !== ROLE.identity) return null;
      const from = edges.from[edge]!;
      if (!seen.has(from)) queue.push(from);
      seen.add(from);
    }
  }
  return queue;
}

/** Columns that came from a key and are no exact copy of it: the values are there, in another form. */
export function lookalikes({ model, keys }: Judging, table: number): FoundCause[] {
  const isKey = (column: number): boolean =>
    keys.classes.some(({ parts }) => parts.some((part) => part.has(column)));
  const { edges } = model;
  const { starts, items } = edges.coming;
  const columns = model.columns.of(table);
  const found: FoundCause[] = [];
  for (let place = 0; place < columns.length; place++) {
    const column = columns[place]!;
    for (let at = starts[column]!; at < starts[column + 1]!; at++) {
      const from = edges.from[items[at]!]!;
      const code = changeOf(model, items[at]!);
      if (code === null || from === column || !isKey(from)) continue;
      const made = `${model.columnNames[column]!} was made from ${columnName(model, from)}`;
      const what = `${made}${code === 'masked-key' ? ' and hides it' : ', not copied'}`;
      found.push({ code, what, column, against: from });
    }
  }
  return found;
}

/** What an edge did to a key; null where it is a copy, or takes no value of it. */
function changeOf({ edges }: PlanModel, edge: number): 'masked-key' | 'cast-key' | null {
  const roles = edges.roles[edge]!;
  if ((roles & ROLE['transformation-masked']) !== 0) return 'masked-key';
  return (roles & ROLE.transformation) !== 0 ? 'cast-key' : null;
}

/** A table that nothing is known of, and that has a column named like an id. */
export function unexplainedIds({ ids }: Judging, table: number): FoundCause[] {
  if (!ids.in(table).some(({ identifies }) => !identifies)) return [];
  return [
    { code: 'unknown-edge', what: 'it has a column named like an id, and no event says what is in it' },
  ];
}
