import { quoteName, quotePath } from '../../../predicate/index.ts';
import type { KeyMatch } from '../keys/key-class.ts';
import type { PlanModel } from '../model/model.ts';
import type { DeclaredIds } from '../model/subject.ts';
import type { Probe, Question, TableColumns } from '../plan.ts';
import type { FoundCause } from './cause.ts';

/** What probes are made from. */
export interface MakeProbes {
  readonly model: PlanModel;
  readonly ids: DeclaredIds;
  readonly table: number;
  readonly matches: readonly KeyMatch[];
  readonly causes: readonly FoundCause[];
}

/**
 * A question to the data for each cause of a review, as data and as ready SQL (DuckDB's dialect). They count and never show a
 * value, and no value of a person is in them.
 */
export function probesFor(given: MakeProbes): readonly Probe[] {
  const probes = given.causes.map((cause): Probe => {
    const question = questionOf(cause, given);
    return { asks: ASKS[question.kind], sql: sqlOf(question), question };
  });
  return [...new Map(probes.map((probe) => [probe.sql, probe])).values()];
}

const ASKS: Readonly<Record<Question['kind'], string>> = {
  rows: 'rows',
  differing: 'rows whose keys differ',
  known: 'rows, and how many of them hold an id of the subject as text',
  unknown: 'rows whose key is empty or nobody known',
  misplaced: 'rows that hold a value which does not stand under their key in the source',
};

function questionOf(
  { code, column, against, under, keys }: FoundCause,
  { model, ids, table, matches }: MakeProbes,
): Question {
  const rows: Question = { kind: 'rows', table: model.tableNames[table]! };
  const [match] = matches;
  switch (code) {
    case 'cast-key':
    case 'masked-key':
    case 'named-like-a-key': {
      const declared = against ?? ids.keys[0]?.columns[0];
      if (column === undefined || declared === undefined) return rows;
      return { kind: 'known', ...columnsOf(model, [column]), among: columnsOf(model, [declared]) };
    }
    case 'two-people':
      return keys === undefined
        ? rows
        : { ...rows, kind: 'differing', keys: keys.map((key) => columnsOf(model, key).columns) };
    case 'misaligned':
      if (match === undefined || column === undefined || against === undefined || under === undefined) break;
      return {
        kind: 'misplaced',
        ...columnsOf(model, [...match.columns, column]),
        among: columnsOf(model, [...under, against]),
      };
    case 'uncovered-source':
    case 'unknown-edge':
    case 'table-only':
      break;
    case 'derived-from-kept':
    case 'incremental':
    case 'no-rebuild':
      return rows;
  }
  if (match === undefined) return rows;
  const among = match.origin === null ? null : columnsOf(model, match.origin);
  return { kind: 'unknown', ...columnsOf(model, match.columns), among };
}

function columnsOf(model: PlanModel, columns: readonly number[]): TableColumns {
  return {
    table: model.tableNames[model.columnTables[columns[0]!]!]!,
    columns: columns.map((column) => model.columnNames[column]!),
  };
}

function sqlOf(question: Question): string {
  const count = 'SELECT count(*) AS "rows"';
  const from = `FROM ${pathOf(question.table)}`;
  switch (question.kind) {
    case 'rows':
      return `${count} ${from}`;
    case 'differing': {
      const [first, ...others] = question.keys;
      const differs = others.flatMap((key) =>
        key.map((column, part) => `${quoted(column)} IS DISTINCT FROM ${quoted(first![part]!)}`),
      );
      return `${count} ${from} WHERE ${differs.join(' OR ')}`;
    }
    case 'known': {
      const text = ([column]: readonly string[]): string => `CAST(${quoted(column!)} AS VARCHAR)`;
      const ids = `SELECT ${text(question.among.columns)} FROM ${pathOf(question.among.table)}`;
      return `${count}, count(*) FILTER (WHERE ${text(question.columns)} IN (${ids})) AS "ids" ${from}`;
    }
    case 'unknown':
      return question.among === null
        ? `${count} ${from} WHERE ${question.columns.map((column) => `${quoted(column)} IS NULL`).join(' OR ')}`
        : `${count} ${from} AS own WHERE ${hasNoPartner(question.columns, question.among)}`;
    case 'misplaced': {
      const value = quoted(question.columns.at(-1)!);
      return `${count} ${from} AS own WHERE own.${value} IS NOT NULL AND ${hasNoPartner(question.columns, question.among)}`;
    }
  }
}

/** True too where a column is NULL: nothing equals it. */
function hasNoPartner(columns: readonly string[], among: TableColumns): string {
  const equal = columns.map(
    (column, part) => `other.${quoted(among.columns[part]!)} = own.${quoted(column)}`,
  );
  return `NOT EXISTS (SELECT 1 FROM ${pathOf(among.table)} AS other WHERE ${equal.join(' AND ')})`;
}

function quoted(column: string): string {
  return quoteName('duckdb', column);
}

/** `namespace.table`: the last part is the table. */
function pathOf(table: string): string {
  const dot = table.lastIndexOf('.');
  return quotePath('duckdb', dot < 0 ? [table] : [table.slice(0, dot), table.slice(dot + 1)]);
}
