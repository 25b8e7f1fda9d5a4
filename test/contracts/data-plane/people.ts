import type { Field } from '../../../src/warehouse/schema.ts';
import { field, list, struct } from './build.ts';
import type { Row } from './rows.ts';

export const ADDRESS = field(3, 'address', struct(field(5, 'city', 'string'), field(6, 'zip', 'int')));
export const STRICT_ADDRESS = field(
  3,
  'address',
  struct(field(5, 'city', 'string'), field(6, 'zip', 'int', true)),
);

export const PEOPLE: readonly Field[] = [
  field(1, 'id', 'long', true),
  field(2, 'email', 'string'),
  ADDRESS,
  field(4, 'age', 'int'),
  field(7, 'balance', 'decimal(9, 2)'),
  field(8, 'joined', 'timestamptz'),
  field(9, 'tags', list(10, 'string')),
];

/** People from one number to another: some without e-mail, address or tags. */
export function people(from: number, to: number): Row[] {
  return Array.from({ length: to - from }, (_, index) => person(from + index));
}

export function person(n: number): Row {
  return {
    id: BigInt(n),
    email: n % 4 === 3 ? null : `p${n}@example.org`,
    address: n % 3 === 2 ? null : { city: n % 5 === 4 ? null : `city ${n % 7}`, zip: n },
    age: n % 6 === 5 ? null : n % 90,
    balance: n % 7 === 6 ? null : BigInt(n * 100 - 1),
    joined: n % 8 === 7 ? null : 1_700_000_000_000_001n + BigInt(n) * 86_400_000_000n,
    tags: n % 2 === 0 ? [`t${n}`, null] : null,
  };
}

export function clearedRow(row: Row): Row {
  const address = row.address as Row | null;
  return {
    ...row,
    email: null,
    age: 0,
    tags: null,
    address: address === null ? null : { ...address, city: 'erased' },
  };
}
