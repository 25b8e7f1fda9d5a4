import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { ExactCopies } from '../keys/exact-copies.ts';
import type { KeyClass, KeyMatch } from '../keys/key-class.ts';
import type { TableKeys } from '../keys/table-keys.ts';
import type { PlanModel } from '../model/model.ts';
import type { Reach } from '../model/reach.ts';
import type { DeclaredIds } from '../model/subject.ts';
import type { CauseCode } from '../plan.ts';
import { misalignments } from './alignment.ts';
import { changedKeys } from './changed-keys.ts';
import { type Covering, covers } from './coverage.ts';
import { untiedRows } from './untied-rows.ts';
import type { Verdict, Verdicts } from './verdicts.ts';
import { type WriteView, writeViews } from './write-view.ts';

/** A cause as it is found, with the columns and tables that its probe asks about. */
export interface FoundCause {
  readonly code: CauseCode;
  readonly what: string;
  /** The column in question, and the declared column that it is compared with. */
  readonly column?: number;
  readonly against?: number;
}

/** What tables are judged with. */
export interface Judging {
  readonly model: PlanModel;
  readonly reach: Reach;
  readonly keys: TableKeys;
  readonly ids: DeclaredIds;
  /** Of the sources, as far as they are known. */
  readonly verdicts: Verdicts;
}

/** A table loaded from outside: its declared keys find the person's rows, unless two of them meet in one row (rule L5d). */
export function judgeSource(judging: Judging, table: number): Verdict {
  const matches = judging.keys.subject(table).filter(({ origin }) => origin === null);
  return { matches, patched: false, causes: twoPeople(judging, matches) };
}

/** A table built from others: which of its keys find every row of the person, and what stands against it (rule L5d). */
export function judgeDerived(judging: Judging, table: number): Verdict {
  const { model, reach, keys, ids } = judging;
  const views = writeViews(model, reach, table);
  const subject = keys.subject(table);
  const matches = enough(judging, views, subject, keys.bridges(table));
  const causes: FoundCause[] = [
    ...twoPeople(judging, subject),
    ...namedLikeKeys(judging, table),
    ...(matches.length === 0 ? lookalikes(judging, table) : []),
  ];
  for (const view of views) {
    causes.push(...uncovered(judging, view, matches), ...unknownColumns(judging, view));
    causes.push(...meetings(judging, view, matches), ...changedKeys(model, view, matches));
    if (matches.length > 0) causes.push(...untiedRows(model, view));
    for (const match of matches.slice(0, 1))
      for (const what of misalignments(model, view, match, keys.classes))
        causes.push({ code: 'misaligned', what });
  }
  if (matches.length === 0 && causes.length === 0 && ids.in(table).some(({ identifies }) => !identifies))
    causes.push({
      code: 'unknown-edge',
      what: 'it has a column named like an id, and no event says what is in it',
    });
  return {
    matches,
    patched: matches.length > Math.max(1, subject.length),
    causes: distinct(causes),
  };
}

/** The subject's own keys, and of the bridges only those that a source needs (rule L5c). */
function enough(
  judging: Judging,
  views: readonly WriteView[],
  subject: readonly KeyMatch[],
  bridges: readonly KeyMatch[],
): readonly KeyMatch[] {
  const chosen: KeyMatch[] = [...subject];
  if (chosen.length === 0 && bridges.length > 0) chosen.push(bridges[0]!);
  for (const view of views)
    for (const source of view.carrying.keys()) {
      const finds = (matches: readonly KeyMatch[]): boolean =>
        covers(view, source, matches, coveringOf(judging));
      if (finds(chosen)) continue;
      const bridge = bridges.find((candidate) => finds([...chosen, candidate]));
      if (bridge !== undefined) chosen.push(bridge);
    }
  return chosen;
}

function coveringOf({ keys, verdicts }: Judging): Covering {
  return { classes: keys.classes, verdicts };
}

function uncovered(judging: Judging, view: WriteView, matches: readonly KeyMatch[]): FoundCause[] {
  const { model } = judging;
  const found: FoundCause[] = [];
  for (const [source, roles] of view.carrying) {
    if (covers(view, source, matches, coveringOf(judging))) continue;
    const name = model.tableNames[source]!;
    if (view.write.opaque.includes(name))
      found.push({ code: 'table-only', what: `no event says what of ${name} is in it` });
    else if (roles === ROLE.unknown)
      found.push({ code: 'unknown-edge', what: `nothing says how ${name} came in` });
    else found.push({ code: 'uncovered-source', what: `values of ${name} came in without its key` });
  }
  return found;
}

/**
 * Sources that are found by different keys. In a union each row comes from one of them, and any key finds its own; in a join
 * two people's values stand in one row. Only a column that is copied from both, with no join between them, tells a union.
 */
function meetings(judging: Judging, view: WriteView, matches: readonly KeyMatch[]): FoundCause[] {
  const { model } = judging;
  const found: FoundCause[] = [];
  const finding = [...view.carrying.keys()].map((source) => ({
    source,
    by: matches.filter((match) => covers(view, source, [match], coveringOf(judging))),
  }));
  for (const [at, { source, by }] of finding.entries())
    for (const other of finding.slice(at + 1)) {
      if (by.length === 0 || other.by.length === 0 || by.some((match) => other.by.includes(match))) continue;
      if (isUnion(view, source, other.source) || isSame(model, source, other.source)) continue;
      const tables = `${model.tableNames[source]!} and ${model.tableNames[other.source]!}`;
      found.push({
        code: 'misaligned',
        what: `rows of ${tables} may meet in one, each with a key of its own`,
      });
    }
  return found;
}

/** A table, and what it was before it was emptied. */
function isSame({ tableNames }: PlanModel, a: number, b: number): boolean {
  return tableNames[a] === tableNames[b];
}

function isUnion({ edges, joins }: WriteView, a: number, b: number): boolean {
  if (joins.has(a) || joins.has(b)) return false;
  const copied = (source: number): readonly number[] =>
    edges.flatMap(({ fromTable, to, roles }) =>
      fromTable === source && (roles & VALUE) === ROLE.identity ? [to] : [],
    );
  const mine = new Set(copied(a));
  return copied(b).some((column) => mine.has(column));
}

/** Columns that took values by an unknown role, and columns that no edge explains (rules L1b, L1d and L1g). */
function unknownColumns({ model, reach }: Judging, view: WriteView): FoundCause[] {
  const unknown = new Map<number, Set<number>>();
  const explained = new Set<number>();
  for (const { from, fromTable, to, roles } of view.edges) {
    if (to === view.whole) continue;
    explained.add(to);
    if (
      (roles & ROLE.unknown) === 0 ||
      !reach.hasValue(from) ||
      view.carrying.get(fromTable) === ROLE.unknown
    )
      continue;
    const columns = unknown.get(fromTable) ?? new Set();
    unknown.set(fromTable, columns.add(to));
  }
  const found = [...unknown].map(
    ([source, columns]): FoundCause => ({
      code: 'unknown-edge',
      what: `nothing says how ${names(model, [...columns])} came from ${model.tableNames[source]!}`,
    }),
  );
  const unsaid = unsaidColumns(model, reach, view, explained);
  if (unsaid.length > 0)
    found.push({ code: 'unknown-edge', what: `no event says what is in ${names(model, unsaid)}` });
  return found;
}

/** Columns of the table that the write's facet leaves out although they can hold a value of the person. */
function unsaidColumns(
  model: PlanModel,
  reach: Reach,
  view: WriteView,
  explained: ReadonlySet<number>,
): readonly number[] {
  const readsPeople = view.inputs.some((input) => input !== view.table && reach.values.has(input));
  if (!readsPeople || explained.size === 0 || view.write.rowLevel) return [];
  return (model.real[view.table]?.columns ?? []).flatMap(({ name, type }) => {
    const column = model.columns.find(view.table, name)!;
    return explained.has(column) || !(view.write.parsed || mayHoldText(type)) ? [] : [column];
  });
}

/** Columns that came from a key and are no exact copy of it: the values are there, in another form. */
function lookalikes({ model, keys }: Judging, table: number): FoundCause[] {
  const found: FoundCause[] = [];
  for (const column of model.columns.of(table))
    for (const edge of model.edges.into(column)) {
      const from = model.edges.from[edge]!;
      const roles = model.edges.roles[edge]! & VALUE;
      if (from === column || !keys.classes.some((known) => isPart(known, from))) continue;
      const what = `${model.columnNames[column]!} was made from ${columnName(model, from)}`;
      if ((roles & ROLE['transformation-masked']) !== 0)
        found.push({ code: 'masked-key', what: `${what} and hides it`, column, against: from });
      else if ((roles & ROLE.transformation) !== 0)
        found.push({ code: 'cast-key', what: `${what}, not copied`, column, against: from });
    }
  return found;
}

/** Two keys of the subject in one row: it belongs to two people, or says one person twice. */
function twoPeople({ model }: Judging, matches: readonly KeyMatch[]): FoundCause[] {
  const columns = [...new Set(matches.flatMap((match) => match.columns))];
  if (matches.length < 2) return [];
  const what = `${columns.map((column) => model.columnNames[column]!).join(' and ')} both name a person`;
  return [{ code: 'two-people', what, column: columns[0]!, against: columns[1]! }];
}

/** Columns that are named, or declared, as ids while lineage says that something else is in them (rule L5a). */
function namedLikeKeys(judging: Judging, table: number): FoundCause[] {
  const { ids, keys } = judging;
  const found: FoundCause[] = [];
  for (const declared of ids.in(table)) {
    const known = keys.classes.find(
      ({ kind, parts }) => kind === 'subject' && parts.length === declared.columns.length,
    );
    for (const [part, column] of declared.columns.entries()) {
      const what = otherContent(judging, column, known?.parts[part], declared.identifies);
      if (what === null) continue;
      const against = known?.declared[0]?.columns[part];
      const cause = { code: 'named-like-a-key' as const, what, column };
      found.push(against === undefined ? cause : { ...cause, against });
    }
  }
  return found;
}

/** What lineage says is in a column that should hold an id; null where it holds one, or where nothing certain is said. */
function otherContent(
  { model }: Judging,
  column: number,
  ids: ExactCopies | undefined,
  byDeclaration: boolean,
): string | null {
  const { edges, columnNames } = model;
  const name = columnNames[column]!;
  const inputs = [...edges.into(column)].filter((edge) => edges.from[edge] !== column);
  if (ids?.has(column) === true && !byDeclaration) return null;
  const other = inputs.find((edge) => {
    const value = edges.roles[edge]! & VALUE;
    return value !== 0 && value !== ROLE.unknown && ids?.has(edges.from[edge]!) !== true;
  });
  return other === undefined
    ? null
    : `${name} is named like an id and holds ${columnName(model, edges.from[other]!)}`;
}

function isPart({ parts }: KeyClass, column: number): boolean {
  return parts.some((part) => part.has(column));
}

/** A column whose type can hold a name or an address. Counts and constants of other types need no edge. */
function mayHoldText(type: string | undefined): boolean {
  return type === undefined || /string|text|char|binary|struct|list|map|array|json|variant/i.test(type);
}

function names(model: PlanModel, columns: readonly number[]): string {
  return columns.map((column) => model.columnNames[column]!).join(', ');
}

/** `table.column`, as a person writes it. */
export function columnName(model: PlanModel, column: number): string {
  return `${model.tableNames[model.columnTables[column]!]!}.${model.columnNames[column]!}`;
}

function distinct(causes: readonly FoundCause[]): readonly FoundCause[] {
  const seen = new Set<string>();
  return causes.filter(({ code, what }) => {
    const key = `${code} ${what}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
