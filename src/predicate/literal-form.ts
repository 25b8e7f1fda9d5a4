import type { Literal } from '../values/literal.ts';
import { badLiteral } from './fault.ts';

/** The one text form of each type, as the docstring of {@link Literal} gives it. */
export const FORM = {
  integer: /^-?\d+$/,
  decimal: /^-?\d+(?:\.\d+)?$/,
  float: /^(?:-?(?:Infinity|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|NaN)$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  hex: /^(?:[0-9a-f]{2})*$/,
} as const;

/**
 * The text of a constant, which must have a form: evaluated or compiled, the same constants are accepted (rule R8), and one that was
 * read from JSON carries no SQL. Throws `predicate/literal`.
 */
export function checkedText(literal: Literal & { readonly value: string }, form: RegExp): string {
  if (typeof literal.value !== 'string' || !form.test(literal.value)) throw badLiteral(literal.type);
  return literal.value;
}
