import type { SchemaElement } from 'hyparquet';

/** How a file stores the values of a leaf. */
export interface FileLeaf {
  readonly kind: 'leaf';
  readonly physical: string;
  /** Whether bytes are marked as text; null where they are no byte arrays. */
  readonly bytes: 'text' | 'raw' | null;
  readonly nanos: boolean;
  /** Digits of a decimal; null for other types. */
  readonly decimal: { readonly precision: number; readonly scale: number } | null;
  /** Its least and greatest values are of an order that nobody knows, so they prove nothing. */
  readonly vague: boolean;
}

/** What a schema element says of a leaf. */
export function leafOf(element: SchemaElement, vague = false): FileLeaf {
  const { type, converted_type: converted, logical_type: logical } = element;
  return {
    kind: 'leaf',
    physical: type ?? 'none',
    bytes: type === 'BYTE_ARRAY' ? (TEXT.has(converted ?? logical?.type ?? '') ? 'text' : 'raw') : null,
    nanos: logical !== undefined && 'unit' in logical && logical.unit === 'NANOS',
    decimal:
      converted === 'DECIMAL' || logical?.type === 'DECIMAL'
        ? { precision: element.precision ?? 0, scale: element.scale ?? 0 }
        : null,
    vague,
  };
}

const TEXT = new Set(['UTF8', 'STRING', 'ENUM', 'JSON']);

/** How the values of each DuckDB type may be stored, so that reading them loses nothing. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  BOOLEAN: ['BOOLEAN'],
  INTEGER: ['INT32'],
  BIGINT: ['INT32', 'INT64'],
  FLOAT: ['FLOAT'],
  DOUBLE: ['FLOAT', 'DOUBLE'],
  DATE: ['INT32'],
  TIME: ['INT64', 'INT32'],
  // INT32 is a date that was promoted. INT96 has room for nanoseconds, but every reader of Iceberg gives the table's microseconds.
  TIMESTAMP: ['INT64', 'INT32', 'INT96'],
  TIMESTAMPTZ: ['INT64', 'INT96'],
  TIMESTAMP_NS: ['INT64'],
  VARCHAR: ['BYTE_ARRAY'],
  BLOB: ['BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'],
  UUID: ['FIXED_LEN_BYTE_ARRAY'],
};

/**
 * Whether a leaf can be read as a DuckDB type without loss: nanoseconds are not cut to microseconds, decimals not rounded,
 * numbers not narrowed (hazard 9).
 */
export function readsAs(leaf: FileLeaf, sql: string): boolean {
  const decimal = /^DECIMAL\((\d+), (\d+)\)$/.exec(sql);
  if (decimal !== null) {
    const [precision, scale] = [Number(decimal[1]), Number(decimal[2])];
    return leaf.decimal !== null && leaf.decimal.precision <= precision && leaf.decimal.scale === scale;
  }
  if (leaf.decimal !== null || (leaf.nanos && sql !== 'TIMESTAMP_NS')) return false;
  return STORED[sql]?.includes(leaf.physical) === true;
}
