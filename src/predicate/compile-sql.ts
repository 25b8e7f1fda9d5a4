import { InputError } from '../errors.ts';
import { calendarDay } from '../values/day.ts';
import { parseDayFormat } from '../values/day-format.ts';
import type { Literal } from '../values/literal.ts';
import { adapt } from './adapt.ts';
import { columnFamily, literalFamily } from './family.ts';
import { noColumn } from './fault.ts';
import type { BeforeDay, Comparison, Predicate } from './predicate.ts';
import { type Dialect, quoteName, quotePath, quoteText } from './quote.ts';
import { resolveDays } from './resolve-days.ts';
import { sqlLiteral } from './sql-literal.ts';
import { trinoFloatComparison } from './trino-nan.ts';

/** A column of the table that the SQL is for; the warehouse's own `Column` will do. */
export interface CompileColumn {
  readonly name: string;
  readonly path: readonly string[];
  /** Iceberg type. */
  readonly type: string;
}

/** What the SQL is written for. */
export interface CompileOptions {
  /**
   * The table's columns. With them nested columns are found, a name with a dot is told from a path, and every constant is
   * checked against, and written for, its column's type. Without them each name is one top-level column.
   */
  readonly columns?: readonly CompileColumn[];
}

/**
 * Writes a predicate as an SQL condition that means the same as `evaluate` (rule R8): rows for which it is unknown are not
 * matched, so a `DELETE … WHERE` keeps rows with NULL (hazard 23). Names and constants pass through one quoting function.
 *
 * Throws `predicate/unsafe-name`, `predicate/unsafe-text`, `predicate/literal`, `predicate/unsupported`; with columns also
 * `predicate/no-column`, `predicate/type-mismatch`; `predicate/type-needed` for a day in a zone where no column type says
 * whether the column is an instant.
 *
 * @example compileSql(equals('learner_id', { type: 'long', value: '3590' }), 'trino') // '"learner_id" = 3590'
 */
export function compileSql(predicate: Predicate, dialect: Dialect, options: CompileOptions = {}): string {
  if (options.columns === undefined) return sqlOf(predicate, { dialect, columns: null });
  const columns = new Map(options.columns.map((column) => [column.name, column]));
  return sqlOf(resolveDays(predicate, options.columns), { dialect, columns });
}

/** Members above which a set is worth building. */
const WIDE_LIST = 50;

interface Context {
  readonly dialect: Dialect;
  readonly columns: ReadonlyMap<string, CompileColumn> | null;
}

function sqlOf(predicate: Predicate, context: Context): string {
  switch (predicate.kind) {
    case 'always':
      return 'TRUE';
    case 'never':
      return 'FALSE';
    case 'compare':
      return comparisonSql(predicate.column, predicate.op, predicate.value, context);
    case 'in':
      return inSql(predicate.column, predicate.values, context);
    case 'is-null':
      return `${columnSql(predicate.column, context)} IS NULL`;
    case 'before-day':
      return beforeDaySql(predicate, context);
    case 'not':
      return `NOT (${sqlOf(predicate.of, context)})`;
    case 'and':
      return joined(predicate.of, ' AND ', context) ?? 'TRUE';
    case 'or':
      return joined(predicate.of, ' OR ', context) ?? 'FALSE';
  }
}

function joined(parts: readonly Predicate[], word: string, context: Context): string | null {
  return parts.length === 0 ? null : parts.map((part) => `(${sqlOf(part, context)})`).join(word);
}

function comparisonSql(column: string, op: Comparison, value: Literal, context: Context): string {
  const { left, right, literal, float } = sides(column, value, context);
  if (context.dialect === 'trino' && float) {
    return trinoFloatComparison(left, op, right, literal.value === 'NaN');
  }
  return `${left} ${op} ${right}`;
}

function inSql(column: string, values: readonly Literal[], context: Context): string {
  const all = values.map((value) => sides(column, value, context));
  const first = all[0];
  if (first === undefined) return 'FALSE';
  const oneSide = all.every((side) => side.left === first.left && side.literal.value !== 'NaN');
  if (oneSide)
    return memberSql(
      first.left,
      all.map((side) => side.right),
      context.dialect,
    );
  return values.map((value) => `(${comparisonSql(column, '=', value, context)})`).join(' OR ');
}

/** DuckDB compares a value with each member of a list in turn, and looks it up in a set only where it is given a query. */
function memberSql(left: string, members: readonly string[], dialect: Dialect): string {
  const list = members.join(', ');
  const set = dialect === 'duckdb' && members.length > WIDE_LIST ? `SELECT unnest([${list}])` : list;
  return `${left} IN (${set})`;
}

/** A comparison's two sides in SQL, the constant brought to the column's type where that is known. */
function sides(column: string, value: Literal, context: Context) {
  const left = columnSql(column, context);
  const known = context.columns?.get(column);
  const family = known === undefined ? literalFamily(value) : columnFamily(known.type);
  const adapted =
    known === undefined
      ? { literal: value, fold: false }
      : adapt({ name: column, type: known.type, family }, value);
  const collated = family === 'text' && context.dialect === 'postgres' ? `${left} COLLATE "C"` : left;
  return {
    left: adapted.fold ? `lower(${left})` : collated,
    right: sqlLiteral(context.dialect, adapted.literal),
    literal: adapted.literal,
    float: family === 'float' || literalFamily(adapted.literal) === 'float',
  };
}

function columnSql(name: string, context: Context): string {
  const { dialect, columns } = context;
  if (columns === null) return quoteName(dialect, name);
  const column = columns.get(name);
  if (column === undefined) throw noColumn(name, [...columns.keys()]);
  const [top = name, ...fields] = column.path;
  switch (dialect) {
    case 'duckdb':
      // Not "a"."b": that would be a column of a table named a, where there is one.
      return fields.reduce(
        (of, field) => `struct_extract(${of}, ${quoteText(dialect, field)})`,
        quoteName(dialect, top),
      );
    case 'postgres':
      return fields.reduce((of, field) => `(${of}).${quoteName(dialect, field)}`, quoteName(dialect, top));
    default:
      return quotePath(dialect, column.path);
  }
}

/** Only what `resolveDays` leaves: text in a declared format, and columns whose type is not known. */
function beforeDaySql(predicate: BeforeDay, context: Context): string {
  const column = columnSql(predicate.column, context);
  if (predicate.format !== undefined)
    return textBeforeDaySql(column, predicate.day, predicate.format, context.dialect);
  if (predicate.timeZone !== 'UTC') throw typeNeeded(predicate.column);
  return `${column} < ${sqlLiteral(context.dialect, { type: 'date', value: predicate.day })}`;
}

/** NULL unless the text is a real day of the format; then its digits, most significant first, compare as days do. */
function textBeforeDaySql(column: string, day: string, formatText: string, dialect: Dialect): string {
  const format = parseDayFormat(formatText);
  const { year, month, day: dayOfMonth } = calendarDay(day);
  const digits = [
    String(year).padStart(4, '0'),
    String(month).padStart(2, '0'),
    String(dayOfMonth).padStart(2, '0'),
  ].join('');
  const field = (start: number, width: number) => `substr(${column}, ${start + 1}, ${width})`;
  const fields = [field(format.year, 4), field(format.month, 2), field(format.day, 2)].join(', ');
  const matches = regexpSql(column, quoteText(dialect, format.pattern), dialect);
  // The length is asked for too: in Java and Joni a `$` also stands before a last line end.
  const isDay = `length(${column}) = ${format.length} AND ${matches}`;
  const collation = dialect === 'postgres' ? ' COLLATE "C"' : '';
  return `CASE WHEN ${isDay} THEN concat(${fields})${collation} < '${digits}' END`;
}

function regexpSql(column: string, pattern: string, dialect: Dialect): string {
  switch (dialect) {
    case 'duckdb':
      return `regexp_matches(${column}, ${pattern})`;
    case 'trino':
      return `regexp_like(${column}, ${pattern})`;
    case 'postgres':
      return `${column} ~ ${pattern}`;
    default:
      return `${column} RLIKE ${pattern}`;
  }
}

function typeNeeded(column: string): InputError {
  return new InputError(
    'predicate/type-needed',
    `Which day ${JSON.stringify(column)} falls on depends on its zone, and its type is not known`,
    { remedy: 'Pass the columns of the table to compileSql', data: { column } },
  );
}
