import type { Literal } from '../../values/literal.ts';
import { decimalScale, encodeBound, literalValue } from '../../warehouse/iceberg/manifest/single-value.ts';

/** Types of columns that a literal's value may stand in. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  int: ['int', 'long', 'string'],
  long: ['int', 'long', 'string'],
  text: ['string'],
  uuid: ['uuid', 'string'],
  date: ['date'],
  time: ['time'],
  timestamp: ['timestamp'],
  timestamptz: ['timestamptz'],
  float: ['float'],
  double: ['double'],
  binary: ['binary'],
  boolean: [],
};

/** The single-value forms (Appendix D) of a literal, in every type that a column of it may have. */
export function singleValueForms(literal: Literal): readonly Uint8Array[] {
  if (literal.type === 'boolean') return [];
  const types = literal.type === 'decimal' ? [decimalType(literal.value)] : (TYPES[literal.type] ?? []);
  return types.flatMap((type) => {
    if (type === 'string') return [new TextEncoder().encode(literal.value)];
    const value = literalValue(type, literal);
    if (value === undefined || (type === 'int' && value !== BigInt.asIntN(32, value as bigint))) return [];
    return [encodeBound(type, value)];
  });
}

function decimalType(text: string): string {
  const type = `decimal(38, ${text.split('.')[1]?.length ?? 0})`;
  return decimalScale(type) === undefined ? 'decimal(38, 0)' : type;
}
