import type { Table } from 'apache-arrow';
import { dayNumber, parseDay } from '../values/day.ts';
import { dayInText, parseDayFormat } from '../values/day-format.ts';
import type { Literal } from '../values/literal.ts';
import { midnight } from '../values/timestamp.ts';
import { startOfDay } from '../values/zone.ts';
import { type ArrowColumn, arrowColumn, type Cell } from './arrow-column.ts';
import { anyEqual, comparator } from './comparator.ts';
import { typeMismatch } from './fault.ts';
import { order } from './order.ts';
import type { BeforeDay, Comparison, Predicate } from './predicate.ts';
import { formatNeeded } from './resolve-days.ts';

/** SQL's three truth values. */
const TRUE = 1;
const UNKNOWN = 0;
const FALSE = -1;

/** One truth value for each row. */
type Truths = Int8Array;
type Columns = (name: string) => ArrowColumn;

/**
 * Whether the predicate is true, for each row of an Arrow table (rule R8). False and unknown are both `false` here, as they
 * are to a `WHERE`; inside, NULL stays unknown, so `not(equals(…))` does not match a row with NULL.
 *
 * Throws `predicate/no-column`, `predicate/type-mismatch`, `predicate/literal`, `predicate/format-needed`.
 */
export function evaluate(predicate: Predicate, table: Table): boolean[] {
  const read = new Map<string, ArrowColumn>();
  const columns: Columns = (name) => {
    const column = read.get(name) ?? arrowColumn(table, name);
    read.set(name, column);
    return column;
  };
  return Array.from(truthsOf(predicate, columns, table.numRows), (truth) => truth === TRUE);
}

function truthsOf(predicate: Predicate, columns: Columns, rows: number): Truths {
  switch (predicate.kind) {
    case 'always':
      return new Int8Array(rows).fill(TRUE);
    case 'never':
      return new Int8Array(rows).fill(FALSE);
    case 'compare':
      return comparison(columns(predicate.column), predicate.op, predicate.value);
    case 'in':
      return membership(columns(predicate.column), predicate.values);
    case 'is-null':
      return Int8Array.from(columns(predicate.column).cells, (cell) => (cell === null ? TRUE : FALSE));
    case 'before-day':
      return beforeDay(columns(predicate.column), predicate);
    case 'not':
      return truthsOf(predicate.of, columns, rows).map((truth) => -truth);
    case 'and':
      return combined(predicate.of, { columns, rows, start: TRUE, pick: Math.min });
    case 'or':
      return combined(predicate.of, { columns, rows, start: FALSE, pick: Math.max });
  }
}

/** With true above unknown above false, AND is the least and OR the greatest. */
function combined(
  parts: readonly Predicate[],
  how: {
    readonly columns: Columns;
    readonly rows: number;
    readonly start: number;
    readonly pick: (a: number, b: number) => number;
  },
): Truths {
  const truths = new Int8Array(how.rows).fill(how.start);
  for (const part of parts) {
    const more = truthsOf(part, how.columns, how.rows);
    for (let row = 0; row < how.rows; row++) truths[row] = how.pick(truths[row]!, more[row]!);
  }
  return truths;
}

function comparison(column: ArrowColumn, op: Comparison, value: Literal): Truths {
  if (column.type === 'Null') return allUnknown(column);
  const { form, constant } = comparator(column, value);
  const holds = HOLDS[op];
  return truthOfCells(column, (cell) => holds(order(form(cell), constant)));
}

const HOLDS: Readonly<Record<Comparison, (ordered: number) => boolean>> = {
  '=': (ordered) => ordered === 0,
  '<>': (ordered) => ordered !== 0,
  '<': (ordered) => ordered < 0,
  '<=': (ordered) => ordered <= 0,
  '>': (ordered) => ordered > 0,
  '>=': (ordered) => ordered >= 0,
};

function membership(column: ArrowColumn, values: readonly Literal[]): Truths {
  if (values.length === 0) return new Int8Array(column.cells.length).fill(FALSE);
  if (column.type === 'Null') return allUnknown(column);
  const isMember = anyEqual(values.map((value) => comparator(column, value)));
  return truthOfCells(column, isMember);
}

function beforeDay(column: ArrowColumn, predicate: BeforeDay): Truths {
  const { cells } = column;
  if (column.type === 'Null') return allUnknown(column);
  switch (column.family) {
    case 'date': {
      const limit = dayNumber(predicate.day);
      return truthOfCells(column, (cell) => (cell as number) < limit);
    }
    case 'timestamp': {
      const limit = midnight(predicate.day);
      return truthOfCells(column, (cell) => (cell as bigint) < limit);
    }
    case 'instant': {
      const limit = BigInt(startOfDay(predicate.day, predicate.timeZone)) * 1_000_000n;
      return truthOfCells(column, (cell) => (cell as bigint) < limit);
    }
    case 'text':
      return textBeforeDay(cells, predicate);
    default:
      throw typeMismatch(column.name, column.type, 'a day');
  }
}

function textBeforeDay(cells: readonly Cell[], predicate: BeforeDay): Truths {
  if (predicate.format === undefined) throw formatNeeded(predicate.column);
  const format = parseDayFormat(predicate.format);
  const limit = parseDay(predicate.day);
  return Int8Array.from(cells, (cell) => {
    const day = cell === null ? null : dayInText(cell as string, format);
    if (day === null) return UNKNOWN;
    return day < limit ? TRUE : FALSE;
  });
}

/** A column of Arrow's type Null holds nothing but NULL, and compares with anything. */
function allUnknown(column: ArrowColumn): Truths {
  return new Int8Array(column.cells.length).fill(UNKNOWN);
}

function truthOfCells(column: ArrowColumn, holds: (cell: Exclude<Cell, null>) => boolean): Truths {
  return Int8Array.from(column.cells, (cell) => {
    if (cell === null) return UNKNOWN;
    return holds(cell) ? TRUE : FALSE;
  });
}
