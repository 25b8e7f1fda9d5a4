import { dayNumber, isDay } from '../values/day.ts';
import type { Literal } from '../values/literal.ts';
import { parseTime, parseTimestamp } from '../values/timestamp.ts';
import type { Cell } from './arrow-column.ts';
import { badLiteral } from './fault.ts';
import { checkedText, FORM } from './literal-form.ts';

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
      return { cell: BigInt(checkedText(literal, FORM.integer)), scale: 0 };
    case 'decimal': {
      const [whole = '', fraction = ''] = checkedText(literal, FORM.decimal).split('.');
      return { cell: BigInt(whole + fraction), scale: fraction.length };
    }
    case 'float':
    case 'double': {
      const number = Number(checkedText(literal, FORM.float));
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
      return { cell: literal.value, scale: 0 };
    case 'uuid':
      return { cell: checkedText(literal, FORM.uuid), scale: 0 };
    case 'binary':
      return { cell: checkedText(literal, FORM.hex), scale: 0 };
  }
}

function present(value: bigint | null, literal: Literal): bigint {
  if (value === null) throw badLiteral(literal.type);
  return value;
}
