import type { Literal } from '../values/literal.ts';

/**
 * What a value is compared as. Types of one family compare with one another; `exact` are integers and decimals, `instant`
 * a timestamp with a zone.
 */
export type Family =
  | 'boolean'
  | 'exact'
  | 'float'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'instant'
  | 'text'
  | 'uuid'
  | 'binary';

/** The family of a constant. */
export function literalFamily(literal: Literal): Family {
  switch (literal.type) {
    case 'int':
    case 'long':
    case 'decimal':
      return 'exact';
    case 'float':
    case 'double':
      return 'float';
    case 'timestamptz':
      return 'instant';
    default:
      return literal.type;
  }
}

/** The family of a column by its Iceberg type; null for structs, lists, maps and what is newer. */
export function columnFamily(type: string): Family | null {
  if (type.startsWith('decimal')) return 'exact';
  if (type.startsWith('fixed')) return 'binary';
  switch (type) {
    case 'int':
    case 'long':
      return 'exact';
    case 'float':
    case 'double':
      return 'float';
    case 'string':
      return 'text';
    case 'timestamp':
    case 'timestamp_ns':
      return 'timestamp';
    case 'timestamptz':
    case 'timestamptz_ns':
      return 'instant';
    case 'boolean':
    case 'date':
    case 'time':
    case 'uuid':
    case 'binary':
      return type;
    default:
      return null;
  }
}
