import { isDay } from '../values/day.ts';
import type { Literal } from '../values/literal.ts';
import { parseTime, parseTimestamp } from '../values/timestamp.ts';
import { badLiteral, unsupported } from './fault.ts';
import { checkedText, FORM } from './literal-form.ts';
import { type Dialect, isSpark, quoteText } from './quote.ts';

const DOUBLE_NAMES = {
  duckdb: 'DOUBLE',
  spark: 'DOUBLE',
  databricks: 'DOUBLE',
  trino: 'DOUBLE',
  postgres: 'DOUBLE PRECISION',
};
const FLOAT_NAMES = { duckdb: 'FLOAT', spark: 'FLOAT', databricks: 'FLOAT', trino: 'REAL', postgres: 'REAL' };

/**
 * A constant in a dialect's SQL, typed. Every form is checked before it is written, so that a literal read from JSON cannot
 * carry SQL. Throws `predicate/literal` and `predicate/unsupported`.
 */
export function sqlLiteral(dialect: Dialect, literal: Literal): string {
  switch (literal.type) {
    case 'boolean':
      return literal.value ? 'TRUE' : 'FALSE';
    case 'int':
    case 'long':
      return checkedText(literal, FORM.integer);
    case 'decimal':
      return decimalLiteral(dialect, checkedText(literal, FORM.decimal));
    case 'float':
      return `CAST('${checkedText(literal, FORM.float)}' AS ${FLOAT_NAMES[dialect]})`;
    case 'double':
      return `CAST('${checkedText(literal, FORM.float)}' AS ${DOUBLE_NAMES[dialect]})`;
    case 'date':
      if (!isDay(literal.value)) throw badLiteral('date');
      return `DATE '${literal.value}'`;
    case 'time':
      if (parseTime(literal.value) === null) throw badLiteral('time');
      if (isSpark(dialect)) throw unsupported(dialect, 'times of day');
      return `TIME '${literal.value}'`;
    case 'timestamp':
    case 'timestamptz':
      return timestampLiteral(dialect, literal.type, literal.value);
    case 'text':
      return quoteText(dialect, literal.value);
    case 'uuid':
      return isSpark(dialect)
        ? `'${checkedText(literal, FORM.uuid)}'`
        : `UUID '${checkedText(literal, FORM.uuid)}'`;
    case 'binary':
      return binaryLiteral(dialect, checkedText(literal, FORM.hex));
  }
}

function decimalLiteral(dialect: Dialect, digits: string): string {
  if (dialect === 'trino') return `DECIMAL '${digits}'`;
  return isSpark(dialect) ? `${digits}BD` : digits;
}

function timestampLiteral(dialect: Dialect, type: 'timestamp' | 'timestamptz', text: string): string {
  if (parseTimestamp(text) === null || text.endsWith('Z') !== (type === 'timestamptz'))
    throw badLiteral(type);
  const digits = text.replace(/Z$/, '').split('.')[1]?.replace(/0+$/, '') ?? '';
  if (digits.length > 6 && dialect !== 'trino' && !(dialect === 'duckdb' && type === 'timestamp')) {
    throw unsupported(dialect, 'nanoseconds');
  }
  const plain = text.replace('T', ' ').replace(/Z$/, '');
  switch (dialect) {
    case 'duckdb':
      if (type === 'timestamptz') return `TIMESTAMPTZ '${plain}+00'`;
      return `${digits.length > 6 ? 'TIMESTAMP_NS' : 'TIMESTAMP'} '${plain}'`;
    case 'postgres':
      return type === 'timestamptz' ? `TIMESTAMPTZ '${plain}+00'` : `TIMESTAMP '${plain}'`;
    case 'trino':
      return `TIMESTAMP '${plain}${type === 'timestamptz' ? ' UTC' : ''}'`;
    case 'spark':
    case 'databricks':
      return type === 'timestamptz' ? `TIMESTAMP_LTZ '${plain}Z'` : `TIMESTAMP_NTZ '${plain}'`;
  }
}

function binaryLiteral(dialect: Dialect, hex: string): string {
  switch (dialect) {
    case 'duckdb':
      return `unhex('${hex}')`;
    case 'postgres':
      return `decode('${hex}', 'hex')`;
    default:
      return `X'${hex}'`;
  }
}
