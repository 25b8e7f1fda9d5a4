import { InputError } from '../errors.ts';
import { formatTimestamp, midnight } from '../values/timestamp.ts';
import { startOfDay } from '../values/zone.ts';
import { compare } from './build.ts';
import { columnFamily } from './family.ts';
import { noColumn, typeMismatch } from './fault.ts';
import type { BeforeDay, Predicate } from './predicate.ts';

/** A column by its full name and Iceberg type. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * The same predicate with every `before-day` on a date, timestamp or timestamptz column written as a plain comparison with
 * a constant of the column's type, which bounds can prune. On text columns it stays.
 *
 * Throws `predicate/no-column`, `predicate/type-mismatch`, and `predicate/format-needed` for text without a format.
 */
export function resolveDays(predicate: Predicate, columns: readonly TypedColumn[]): Predicate {
  switch (predicate.kind) {
    case 'before-day':
      return resolveDay(predicate, columns);
    case 'not':
      return { kind: 'not', of: resolveDays(predicate.of, columns) };
    case 'and':
    case 'or':
      return { kind: predicate.kind, of: predicate.of.map((part) => resolveDays(part, columns)) };
    default:
      return predicate;
  }
}

function resolveDay(predicate: BeforeDay, columns: readonly TypedColumn[]): Predicate {
  const column = columns.find((candidate) => candidate.name === predicate.column);
  if (column === undefined) {
    throw noColumn(
      predicate.column,
      columns.map((candidate) => candidate.name),
    );
  }
  switch (columnFamily(column.type)) {
    case 'date':
      return compare(column.name, '<', { type: 'date', value: predicate.day });
    case 'timestamp':
      return compare(column.name, '<', {
        type: 'timestamp',
        value: formatTimestamp(midnight(predicate.day)),
      });
    case 'instant':
      return compare(column.name, '<', { type: 'timestamptz', value: firstInstant(predicate) });
    case 'text':
      if (predicate.format === undefined) throw formatNeeded(predicate.column);
      return predicate;
    default:
      throw typeMismatch(column.name, column.type, 'a day');
  }
}

/** The first instant of the day in the zone, as the text of a timestamptz. */
export function firstInstant(predicate: BeforeDay): string {
  const milliseconds = startOfDay(predicate.day, predicate.timeZone);
  return `${formatTimestamp(BigInt(milliseconds) * 1_000_000n)}Z`;
}

/** Text is compared as days only in a declared format (hazard 28). */
export function formatNeeded(column: string): InputError {
  return new InputError(
    'predicate/format-needed',
    `Column ${JSON.stringify(column)} is text, and text does not sort as days do`,
    {
      remedy: 'Declare its format in the retention rule: format = "dd-MM-yyyy"',
      data: { column },
    },
  );
}
