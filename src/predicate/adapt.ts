import { canonicalId } from '../values/id.ts';
import type { Literal } from '../values/literal.ts';
import { formatTimestamp, midnight } from '../values/timestamp.ts';
import { type Family, literalFamily } from './family.ts';
import { badLiteral, typeMismatch } from './fault.ts';

/** A constant in the type of the column that it is compared with. */
export interface Adapted {
  readonly literal: Literal;
  /** The column's text is compared in lower case (a uuid kept as text). */
  readonly fold: boolean;
}

/**
 * Brings a constant to its column's type, the same way for Arrow and for SQL. A date compares with timestamps as its
 * midnight (UTC for an instant); a uuid with text in any case and with its sixteen bytes. Nothing else crosses: a
 * silent "no row" is worse than an error. Throws `predicate/type-mismatch`.
 */
export function adapt(
  column: { readonly name: string; readonly type: string; readonly family: Family | null },
  literal: Literal,
): Adapted {
  const constant = literalFamily(literal);
  if (column.family === constant) return { literal, fold: false };
  switch (`${constant} to ${column.family}`) {
    case 'exact to float':
    case 'float to exact':
      return { literal, fold: false };
    case 'date to timestamp':
      return { literal: { type: 'timestamp', value: midnightText(literal) }, fold: false };
    case 'date to instant':
      return { literal: { type: 'timestamptz', value: `${midnightText(literal)}Z` }, fold: false };
    case 'uuid to text':
      return { literal: { type: 'text', value: uuidText(literal) }, fold: true };
    case 'uuid to binary':
      return { literal: { type: 'binary', value: uuidText(literal).replaceAll('-', '') }, fold: false };
    case 'text to uuid':
    case 'binary to uuid':
      return { literal: { type: 'uuid', value: uuidText(literal) }, fold: false };
    default:
      throw typeMismatch(column.name, column.type, literal.type);
  }
}

function midnightText(literal: Literal): string {
  return formatTimestamp(midnight(String(literal.value)));
}

function uuidText(literal: Literal): string {
  const uuid = canonicalId('uuid', literal.value);
  if (uuid === null) throw badLiteral('uuid');
  return uuid;
}
