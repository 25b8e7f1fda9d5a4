import { describe, expect, test } from 'vitest';
import type { Literal } from '../../../src/values/literal.ts';
import {
  bigEndian,
  decodeBound,
  encodeBound,
  literalValue,
  toBigEndian,
  toLiteral,
} from '../../../src/warehouse/iceberg/manifest/single-value.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** Type, literal, and the bytes of the specification's Appendix D; the bytes as Java and PyIceberg write them. */
const VECTORS: readonly (readonly [string, Literal, string])[] = [
  ['boolean', { type: 'boolean', value: true }, '01'],
  ['int', { type: 'int', value: '1234' }, 'd2040000'],
  ['int', { type: 'int', value: '-1' }, 'ffffffff'],
  ['long', { type: 'long', value: '9007199254740993' }, '0100000000002000'],
  ['long', { type: 'long', value: '-9223372036854775808' }, '0000000000000080'],
  ['float', { type: 'float', value: '-4.5' }, '000090c0'],
  ['double', { type: 'double', value: '6' }, '0000000000001840'],
  ['date', { type: 'date', value: '1970-01-01' }, '00000000'],
  ['date', { type: 'date', value: '1969-12-31' }, 'ffffffff'],
  ['date', { type: 'date', value: '2022-03-01' }, '6c4a0000'],
  ['time', { type: 'time', value: '00:16:40' }, '00ca9a3b00000000'],
  ['timestamp', { type: 'timestamp', value: '1970-01-01T00:00:00.400000' }, '801a060000000000'],
  ['timestamptz', { type: 'timestamptz', value: '1969-12-31T23:59:59.999999Z' }, 'ffffffffffffffff'],
  ['string', { type: 'text', value: 'ABC' }, '414243'],
  ['string', { type: 'text', value: 'ö😀' }, 'c3b6f09f9880'],
  ['string', { type: 'text', value: '\uFEFFa' }, 'efbbbf61'],
  [
    'uuid',
    { type: 'uuid', value: 'f79c3e09-677c-4bbd-a479-3f349cb785e7' },
    'f79c3e09677c4bbda4793f349cb785e7',
  ],
  ['fixed[3]', { type: 'binary', value: '6d6462' }, '6d6462'],
  ['binary', { type: 'binary', value: '5a5a5a' }, '5a5a5a'],
  ['decimal(4, 2)', { type: 'decimal', value: '3.45' }, '0159'],
  ['decimal(9, 4)', { type: 'decimal', value: '123.4567' }, '12d687'],
  ['decimal(9, 4)', { type: 'decimal', value: '-123.4567' }, 'ed2979'],
];

describe.each(VECTORS)('%s %j', (type, literal, bytes) => {
  test(`is ${bytes}`, () => {
    const value = literalValue(type, literal);
    expect(Buffer.from(encodeBound(type, value!)).toString('hex')).toBe(bytes);
    expect(decodeBound(type, hex(bytes))).toEqual(value);
    expect(toLiteral(type, value!)).toEqual(literal);
  });
});

test('bounds written before a promotion keep their value', () => {
  expect(decodeBound('long', hex('d2040000'))).toBe(1234n);
  expect(decodeBound('double', hex('000090c0'))).toBe(-4.5);
  expect(decodeBound('timestamp', hex('01000000'))).toBe(86_400_000_000n);
  expect(decodeBound('timestamp_ns', hex('ffffffff'))).toBe(-86_400_000_000_000n);
});

test('bounds of a wrong length, or a type without an order, prove nothing', () => {
  expect(decodeBound('int', hex('010203'))).toBeUndefined();
  expect(decodeBound('boolean', hex(''))).toBeUndefined();
  expect(decodeBound('decimal(9, 2)', hex(''))).toBeUndefined();
  expect(decodeBound('variant', hex('0102'))).toBeUndefined();
});

test('a literal of another family is left to the data plane', () => {
  expect(literalValue('long', { type: 'text', value: '7' })).toBeUndefined();
  expect(literalValue('string', { type: 'long', value: '7' })).toBeUndefined();
  expect(literalValue('timestamp', { type: 'timestamptz', value: '2026-10-01T00:00:00Z' })).toBeUndefined();
  expect(literalValue('decimal(9, 2)', { type: 'decimal', value: '1.005' })).toBeUndefined();
  expect(literalValue('double', { type: 'double', value: 'NaN' })).toBeUndefined();
});

test('no byte of a decimal is one too many', () => {
  for (const [value, bytes] of [
    [0n, '00'],
    [127n, '7f'],
    [128n, '0080'],
    [-128n, '80'],
    [-129n, 'ff7f'],
  ] as const) {
    expect(Buffer.from(toBigEndian(value)).toString('hex')).toBe(bytes);
    expect(bigEndian(hex(bytes))).toBe(value);
  }
});
