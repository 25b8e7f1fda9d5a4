/**
 * A typed constant. Every value but a boolean is text, so that 64-bit numbers and decimals are exact and a literal can
 * stand in JSON: `{ type: 'long', value: '9007199254740993' }`.
 *
 * - `int`, `long`: decimal digits with an optional minus
 * - `float`, `double`: as JavaScript prints them, or `NaN`, `Infinity`, `-Infinity`
 * - `decimal`: digits with an optional point
 * - `date`: `2026-10-01`; `time`: `13:45:00.000001`
 * - `timestamp`: `2026-10-01T13:45:00.000001` (no zone); `timestamptz`: the same with `Z`
 * - `uuid`: lower case with dashes; `binary`: lower-case hex
 */
export type Literal =
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: ScalarType; readonly value: string };

/** The types of literals that are written as text. */
export const SCALAR_TYPES = [
  'int',
  'long',
  'float',
  'double',
  'decimal',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'text',
  'uuid',
  'binary',
] as const;

export type ScalarType = (typeof SCALAR_TYPES)[number];
