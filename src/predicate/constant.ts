import { dayNumber, isDay } from '../values/day.ts';
import type { Literal } from '../values/literal.ts';
import { parseTime, parseTimestamp } from '../values/timestamp.ts';
import type { Cell } from './arrow-column.ts';
import { badLiteral } from './fault.ts';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const FLOAT = /^(?:-?(?:Infinity|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|NaN)$/;

/** A constant made ready to compare with cells; `scale` as in `ArrowColumn`. */
export interface Constant {
  readonly cell: Exclude<Cell, null>;
  readonly scale: number;
}

/** Reads a literal. Throws `predicate/literal`, which never shows it. */
export function constantOf(literal: Literal): Constant {
  switch (literal.type) {
    case 'boolean':
      return { cell: literal.value, scale: 0 };
    case 'int':
    case 'long':
    case 'decimal':
      return exact(literal);
    case 'float':
    case 'double': {
      if (!FLOAT.test(literal.value)) throw badLiteral(literal.type);
      const number = Number(literal.value);
      return { cell: literal.type === 'float' ? Math.fround(number) : number, scale: 0 };
    }
    case 'date':
      if (!isDay(literal.value)) throw badLiteral('date');
      return { cell: dayNumber(literal.value), scale: 0 };
    case 'time':
      return { cell: present(parseTime(literal.value), literal), scale: 0 };
    case 'timestamp':
    case 'timestamptz':
      if (literal.value.endsWith('Z') !== (literal.type === 'timestamptz')) throw badLiteral(literal.type);
      return { cell: present(parseTimestamp(literal.value), literal), scale: 0 };
    case 'text':
    case 'uuid':
    case 'binary':
      return { cell: literal.value, scale: 0 };
  }
}

function exact(literal: Literal & { readonly value: string }): Constant {
  const [whole, sign, digits, fraction = ''] = DECIMAL.exec(literal.value) ?? [];
  if (whole === undefined || (fraction !== '' && literal.type !== 'decimal')) throw badLiteral(literal.type);
  const unscaled = BigInt(`${digits}${fraction}`);
  return { cell: sign === '-' ? -unscaled : unscaled, scale: fraction.length };
}

function present(value: bigint | null, literal: Literal): bigint {
  if (value === null) throw badLiteral(literal.type);
  return value;
}
