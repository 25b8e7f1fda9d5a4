import { TomlDate } from 'smol-toml';
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import { and, compare, isNull, not, oneOf, or, type Predicate } from '../../predicate/index.ts';
import { isDay } from '../../values/day.ts';
import type { Literal } from '../../values/literal.ts';
import type { Instant } from '../../values/time.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import type { ClearColumn } from '../governance.ts';
import { isTable } from '../toml/document.ts';
import { table } from '../toml/read.ts';

function saying(): z.ZodString {
  return z.string().refine((value) => value.trim() !== '', { message: 'is blank' });
}

/** Text that says something. */
export const text = saying();

/** The name of a column, by itself or a dotted path. */
export const columnName = saying();

/** The name of a table, `namespace.table`. */
export const tableName = saying();

/** Text that `check` accepts; its `InputError` becomes the fault. */
export function checkedText<T>(check: (value: string) => T): z.ZodType<T> {
  return text.transform((value, context): T => {
    try {
      return check(value);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      context.issues.push({ code: 'custom', message: error.message, input: value });
      return z.NEVER;
    }
  });
}

/** A day, as a TOML date or as text. */
export const day = z.unknown().transform((value, context): string => {
  const written = value instanceof TomlDate && value.isDate() ? value.toISOString() : value;
  if (typeof written === 'string' && isDay(written)) return written;
  context.issues.push({ code: 'custom', message: 'expected a day such as 2026-10-01', input: value });
  return z.NEVER;
});

/** An instant, as a TOML date-time with an offset. */
export const instant = z.unknown().transform((value, context): Instant => {
  if (value instanceof TomlDate && value.isDateTime() && !value.isLocal()) return value.getTime();
  const message = 'expected an instant such as 2026-10-01T12:00:00Z';
  context.issues.push({ code: 'custom', message, input: value });
  return z.NEVER;
});

/** A constant in a condition: its TOML type says what it is. */
export const literal = z.unknown().transform((value, context): Literal => {
  const found = literalOf(value);
  if (found !== null) return found;
  context.issues.push({
    code: 'custom',
    message: 'expected text, a number, true or false, or a date',
    input: value,
  });
  return z.NEVER;
});

function literalOf(value: unknown): Literal | null {
  if (typeof value === 'boolean') return { type: 'boolean', value };
  if (typeof value === 'string') return { type: 'text', value };
  if (typeof value === 'bigint') return { type: 'long', value: String(value) };
  if (typeof value === 'number')
    return { type: Number.isInteger(value) ? 'long' : 'double', value: String(value) };
  return value instanceof TomlDate ? dateLiteral(value) : null;
}

function dateLiteral(value: TomlDate): Literal {
  const written = value.toISOString();
  if (value.isDate()) return { type: 'date', value: written };
  if (value.isTime()) return { type: 'time', value: written };
  if (value.isLocal()) return { type: 'timestamp', value: written };
  return { type: 'timestamptz', value: `${formatTimestamp(BigInt(value.getTime()) * 1_000_000n)}Z` };
}

interface ConditionTable {
  readonly column?: string | undefined;
  readonly equals?: Literal | undefined;
  readonly in?: Literal[] | undefined;
  readonly is_null?: boolean | undefined;
  readonly all?: Predicate[] | undefined;
  readonly any?: Predicate[] | undefined;
}

/** `{ column = "status", equals = "closed" }`, also `in`, `is_null`, and `all` or `any` of several. */
export const condition: z.ZodType<Predicate> = z.lazy(() =>
  table({
    column: columnName.optional(),
    equals: literal.optional(),
    in: z.array(literal).min(1).optional(),
    is_null: z.boolean().optional(),
    all: z.array(condition).min(1).optional(),
    any: z.array(condition).min(1).optional(),
  }).transform((value: ConditionTable, context): Predicate => {
    const predicate = conditionOf(value);
    if (predicate !== null) return predicate;
    const message = 'a condition is a column with one of equals, in, is_null; or all, or any, alone';
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  }),
);

function conditionOf({ column, ...rest }: ConditionTable): Predicate | null {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  if (given.length !== 1) return null;
  if (rest.all !== undefined) return column === undefined ? and(...rest.all) : null;
  if (rest.any !== undefined) return column === undefined ? or(...rest.any) : null;
  if (column === undefined) return null;
  if (rest.equals !== undefined) return compare(column, '=', rest.equals);
  if (rest.in !== undefined) return oneOf(column, rest.in);
  return rest.is_null === true ? isNull(column) : not(isNull(column));
}

/**
 * A column to clear: its name (NULL takes the value's place), or `{ column = "payer", with = "redacted" }` for a constant,
 * or `with = { token = true }` for a keyed token.
 */
export const clearColumn: z.ZodType<ClearColumn> = z.preprocess(
  (value) => (typeof value === 'string' ? { column: value } : value),
  table({ column: columnName, with: z.unknown().optional() }).transform((value, context): ClearColumn => {
    const replacement = replacementOf(value.with);
    if (replacement !== null) return { column: value.column, with: replacement };
    const message = 'expected a constant, or { token = true } for a keyed token';
    context.issues.push({ code: 'custom', message, input: value.with, path: ['with'] });
    return z.NEVER;
  }),
);

function replacementOf(value: unknown): ClearColumn['with'] | null {
  if (value === undefined) return { kind: 'null' };
  if (isTable(value))
    return value.token === true && Object.keys(value).length === 1 ? { kind: 'token' } : null;
  if (Array.isArray(value)) return null;
  if (value instanceof TomlDate) return { kind: 'constant', value: value.toISOString() };
  return { kind: 'constant', value: String(value) };
}
