import fc from 'fast-check';
import {
  and,
  beforeDay,
  compare,
  isNull,
  not,
  oneOf,
  or,
  type Predicate,
} from '../../../src/predicate/index.ts';
import type { Literal } from '../../../src/values/literal.ts';
import { long, text } from './build.ts';

/** Conditions over people: every kind and operator, constants that some rows have, nested columns, nulls. */
export const predicates: fc.Arbitrary<Predicate> = fc.letrec<{ tree: Predicate; leaf: Predicate }>((tie) => {
  const op = fc.constantFrom('=', '<>', '<', '<=', '>', '>=' as const);
  const number = fc.integer({ min: -2, max: 42 });
  const constants: Readonly<Record<string, fc.Arbitrary<Literal>>> = {
    id: number.map((n) => long(n)),
    email: number.map((n) => text(`p${n}@example.org`)),
    'address.city': number.map((n) => text(`city ${n}`)),
    'address.zip': number.map((n) => ({ type: 'int', value: String(n) }) as const),
    balance: number.map((n) => ({ type: 'decimal', value: `${n}.99` }) as const),
    joined: number.map(
      (n) =>
        ({
          type: 'timestamptz',
          value: `2023-11-${String((Math.abs(n) % 28) + 1).padStart(2, '0')}T22:13:20.000001Z`,
        }) as const,
    ),
  };
  const column = fc.constantFrom(...Object.keys(constants));
  const comparison = column.chain((name) =>
    fc.tuple(op, constants[name]!).map(([o, value]) => compare(name, o, value)),
  );
  const membership = column.chain((name) =>
    fc.array(constants[name]!, { maxLength: 80 }).map((values) => oneOf(name, values)),
  );
  const day = fc
    .tuple(fc.integer({ min: 10, max: 28 }), fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'))
    .map(([of, timeZone]) => beforeDay('joined', { day: `2023-11-${of}`, timeZone }));
  const children = fc.array(tie('tree'), { maxLength: 3 });
  return {
    leaf: fc.oneof(
      comparison,
      membership,
      day,
      column.map((name) => isNull(name)),
    ),
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('leaf'),
      tie('tree').map(not),
      children.map((of) => and(...of)),
      children.map((of) => or(...of)),
    ),
  };
}).tree;
