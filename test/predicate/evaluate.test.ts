import {
  DateMillisecond,
  Decimal,
  Dictionary,
  Field,
  FixedSizeBinary,
  Float32,
  Int32,
  LargeUtf8,
  makeData,
  Null,
  type RecordBatch,
  Schema,
  Table,
  Timestamp,
  TimeUnit,
  Uint64,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import {
  and,
  beforeDay,
  compare,
  compileSql,
  equals,
  evaluate,
  isNull,
  never,
  not,
  oneOf,
  or,
} from '../../src/predicate/index.ts';
import type { Literal } from '../../src/values/literal.ts';
import { structVector } from '../support/typed-rows.ts';

const text = (value: string): Literal => ({ type: 'text', value });
const long = (value: string): Literal => ({ type: 'long', value });
const code = (value: string) => expect.objectContaining({ code: value, kind: 'input' });

describe('three-valued logic', () => {
  const table = new Table({ id: vectorFromArray([1n, null, 2n]), name: vectorFromArray(['x', 'y', null]) });

  test('a row with NULL is matched neither by a comparison nor by its negation', () => {
    expect(evaluate(equals('id', long('1')), table)).toEqual([true, false, false]);
    expect(evaluate(not(equals('id', long('1'))), table)).toEqual([false, false, true]);
    expect(evaluate(compare('id', '<>', long('1')), table)).toEqual([false, false, true]);
    expect(evaluate(not(oneOf('id', [long('1'), long('7')])), table)).toEqual([false, false, true]);
    expect(evaluate(isNull('id'), table)).toEqual([false, true, false]);
  });

  test('unknown or true is true, unknown and false is false', () => {
    expect(evaluate(or(equals('id', long('1')), equals('name', text('y'))), table)).toEqual([
      true,
      true,
      false,
    ]);
    expect(evaluate(not(and(equals('id', long('1')), equals('name', text('x')))), table)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('an empty list matches nothing, and its negation everything, as the constants do', () => {
    expect(evaluate(oneOf('id', []), table)).toEqual(evaluate(never(), table));
    expect(evaluate({ kind: 'not', of: { kind: 'in', column: 'id', values: [] } }, table)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('any number of ids is one look-up each', () => {
    const ids = Array.from({ length: 50_000 }, (_, index) => long(String(index * 2)));
    const big = new Table({
      id: vectorFromArray(BigInt64Array.from({ length: 50_000 }, (_, index) => BigInt(index))),
    });
    expect(evaluate(oneOf('id', ids), big).filter(Boolean)).toHaveLength(25_000);
  });
});

describe('types', () => {
  test.each([
    [TimeUnit.SECOND, 1n],
    [TimeUnit.MILLISECOND, 1_000n],
    [TimeUnit.MICROSECOND, 1_000_000n],
    [TimeUnit.NANOSECOND, 1_000_000_000n],
  ])('timestamps in unit %i, with and without a zone', (unit, perSecond) => {
    const second = BigInt(Date.UTC(2026, 9, 1) / 1000);
    const at = (zone: string | null) =>
      raw(new Timestamp(unit, zone), BigInt64Array.of((second - 1n) * perSecond, second * perSecond));
    const table = new Table({ local: at(null), instant: at('Asia/Tokyo') });
    const local: Literal = { type: 'timestamp', value: '2026-10-01T00:00:00' };
    const instant: Literal = { type: 'timestamptz', value: '2026-10-01T00:00:00Z' };
    expect(evaluate(compare('local', '<', local), table)).toEqual([true, false]);
    expect(evaluate(compare('instant', '<', instant), table)).toEqual([true, false]);
    expect(() => evaluate(compare('local', '<', instant), table)).toThrowError(
      code('predicate/type-mismatch'),
    );
    expect(() => evaluate(compare('instant', '<', local), table)).toThrowError(
      code('predicate/type-mismatch'),
    );
  });

  test('nanoseconds are not lost', () => {
    const table = new Table({ at: raw(new Timestamp(TimeUnit.NANOSECOND, null), BigInt64Array.of(1n, 2n)) });
    const literal: Literal = { type: 'timestamp', value: '1970-01-01T00:00:00.000000002' };
    expect(evaluate(equals('at', literal), table)).toEqual([false, true]);
  });

  test('dates in milliseconds', () => {
    const table = new Table({ on: raw(new DateMillisecond(), BigInt64Array.of(-86_400_000n, 0n)) });
    expect(evaluate(equals('on', { type: 'date', value: '1969-12-31' }), table)).toEqual([true, false]);
  });

  test('dictionaries, of every chunk, with NULL', () => {
    const status = vectorFromArray(
      ['open', 'closed', null, 'closed'],
      new Dictionary(new Utf8(), new Int32()),
    );
    expect(evaluate(equals('status', text('closed')), new Table({ status }))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test('large text, unsigned 64-bit integers and single floats', () => {
    const table = new Table({
      t: vectorFromArray(['a', 'b'], new LargeUtf8()),
      u: vectorFromArray([18446744073709551615n, 0n], new Uint64()),
      f: vectorFromArray([0.1, 1], new Float32()),
    });
    expect(evaluate(equals('t', text('b')), table)).toEqual([false, true]);
    expect(evaluate(compare('u', '>', long('9223372036854775807')), table)).toEqual([true, false]);
    expect(evaluate(equals('f', { type: 'float', value: '0.1' }), table)).toEqual([true, false]);
  });

  test('decimals of 256 bits, negative, against another scale', () => {
    const words = new Uint32Array(16).fill(0xffffffff, 0, 8);
    const data = makeData({ type: new Decimal(1, 40, 256), length: 2, data: words } as never);
    const table = new Table({ d: new Vector([data]) });
    expect(evaluate(equals('d', { type: 'decimal', value: '-0.10' }), table)).toEqual([true, false]);
  });

  test('a uuid meets its sixteen bytes, and text in any case', () => {
    const uuid = 'f79c3e09-677c-4bbd-a479-3f349cb785e7';
    const bytes = Uint8Array.from(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
    const table = new Table({
      bytes: vectorFromArray([bytes, null], new FixedSizeBinary(16)),
      text: vectorFromArray([uuid.toUpperCase(), 'x'], new Utf8()),
    });
    const literal: Literal = { type: 'uuid', value: uuid };
    expect(evaluate(equals('bytes', literal), table)).toEqual([true, false]);
    expect(evaluate(oneOf('text', [literal]), table)).toEqual([true, false]);
  });

  test('a column of nothing but NULL compares with anything, and matches nothing', () => {
    const table = new Table({ n: new Vector([makeData({ type: new Null(), length: 2 })]) });
    expect(evaluate(not(equals('n', text('x'))), table)).toEqual([false, false]);
    expect(evaluate(isNull('n'), table)).toEqual([true, true]);
  });

  test('text and numbers never compare in silence', () => {
    const table = new Table({ id: vectorFromArray(['3590'], new Utf8()) });
    expect(() => evaluate(equals('id', long('3590')), table)).toThrowError(code('predicate/type-mismatch'));
  });

  test('text goes by code point, as bytes of UTF-8 do', () => {
    const table = new Table({ t: vectorFromArray(['\ufb01', '\u{1f600}', 'z'], new Utf8()) });
    expect(evaluate(compare('t', '>', text('\ufb01')), table)).toEqual([false, true, false]);
  });
});

describe('columns', () => {
  test('a field of a NULL struct is NULL, whatever its buffer holds', () => {
    const table = new Table({ person: structVector(['name'], [{ name: 'x' }, null, { name: null }]) });
    expect(evaluate(equals('person.name', text('ghost')), table)).toEqual([false, false, false]);
    expect(evaluate(isNull('person.name'), table)).toEqual([false, true, true]);
    expect(evaluate(not(equals('person.name', text('x'))), table)).toEqual([false, false, false]);
  });

  test('a top-level column of exactly the name comes before a path', () => {
    const table = new Table({
      a: structVector(['b'], [{ b: 'nested' }]),
      'a.b': vectorFromArray(['top'], new Utf8()),
    });
    expect(evaluate(equals('a.b', text('top')), table)).toEqual([true]);
  });

  test('slices and several batches keep their rows apart', () => {
    const one = new Table({ id: vectorFromArray([1n, null, 3n, 4n]) });
    const sliced = one.slice(1, 4);
    expect(evaluate(compare('id', '>=', long('3')), sliced)).toEqual([false, true, true]);
    const both = new Table([...sliced.batches, ...one.batches]);
    expect(evaluate(isNull('id'), both)).toEqual([true, false, false, false, true, false, false]);
  });

  test('a sliced struct keeps its parents', () => {
    const table = new Table({ p: structVector(['n'], [{ n: 'a' }, null, { n: 'c' }]) }).slice(1);
    expect(evaluate(isNull('p.n'), table)).toEqual([true, false]);
  });

  test('a table without rows has no matches, and still says which column is missing', () => {
    const empty = new Table(new Schema([new Field('id', new Int32(), true)]), [] as RecordBatch[]);
    expect(evaluate(equals('id', long('1')), empty)).toEqual([]);
    expect(() => evaluate(equals('nope', long('1')), empty)).toThrowError(code('predicate/no-column'));
  });

  test('a list or a struct compares with nothing, but can be NULL', () => {
    const table = new Table({ p: structVector(['n'], [null, { n: 'c' }]) });
    expect(evaluate(isNull('p'), table)).toEqual([true, false]);
    expect(() => evaluate(equals('p', text('x')), table)).toThrowError(code('predicate/type-mismatch'));
  });
});

describe('days', () => {
  const day = { day: '2026-10-01', timeZone: 'Europe/Berlin' };

  test('an instant falls on a day in the zone of the condition; a timestamp without a zone has its own date', () => {
    const micros = BigInt(Date.UTC(2026, 8, 30, 22, 30)) * 1000n;
    const table = new Table({
      instant: raw(
        new Timestamp(TimeUnit.MICROSECOND, 'UTC'),
        BigInt64Array.of(micros - 3_600_000_000n, micros),
      ),
      local: raw(
        new Timestamp(TimeUnit.MICROSECOND, null),
        BigInt64Array.of(micros, micros + 5_400_000_000n),
      ),
    });
    expect(evaluate(beforeDay('instant', day), table)).toEqual([true, false]);
    expect(evaluate(beforeDay('instant', { ...day, timeZone: 'UTC' }), table)).toEqual([true, true]);
    expect(evaluate(beforeDay('local', day), table)).toEqual([true, false]);
  });

  test('text is read in its declared format and refused without one; what is no day is unknown', () => {
    const table = new Table({
      on: vectorFromArray(['30-09-2026', '01-10-2026', '02-01-2027', '31-02-2026', null], new Utf8()),
    });
    const before = beforeDay('on', { ...day, format: 'dd-MM-yyyy' });
    expect(evaluate(before, table)).toEqual([true, false, false, false, false]);
    expect(evaluate(not(before), table)).toEqual([false, true, true, false, false]);
    expect(() => evaluate(beforeDay('on', day), table)).toThrowError(code('predicate/format-needed'));
  });

  test('a number is no day', () => {
    const table = new Table({ on: vectorFromArray([20261001], new Int32()) });
    expect(() => evaluate(beforeDay('on', day), table)).toThrowError(code('predicate/type-mismatch'));
  });
});

test('R8: bytes in capitals are refused as a compiler refuses them, instead of matching no row', () => {
  const bytes: Literal = { type: 'binary', value: 'AB' };
  const table = new Table({ id: vectorFromArray([Uint8Array.of(0xab)], new FixedSizeBinary(1)) });
  expect(evaluate(equals('id', { type: 'binary', value: 'ab' }), table)).toEqual([true]);
  expect(() => evaluate(equals('id', bytes), table)).toThrowError(code('predicate/literal'));
  expect(() => compileSql(equals('id', bytes), 'duckdb')).toThrowError(code('predicate/literal'));
});

test('a constant that is not written as its type asks is refused, and not shown', () => {
  const table = new Table({
    id: vectorFromArray([1n]),
    on: raw(new Timestamp(TimeUnit.SECOND, null), BigInt64Array.of(0n)),
  });
  const bad: Literal[] = [
    long("1' OR 1=1"),
    { type: 'decimal', value: '1e5' },
    { type: 'double', value: 'abc' },
  ];
  for (const literal of bad) {
    const run = () => evaluate(equals('id', literal), table);
    expect(run).toThrowError(code('predicate/literal'));
    expect(run).toThrowError(expect.not.stringContaining(String(literal.value)));
  }
  expect(() =>
    evaluate(equals('on', { type: 'timestamp', value: '2026-10-01T00:00:00Z' }), table),
  ).toThrowError(code('predicate/literal'));
});

function raw(type: Timestamp | DateMillisecond, data: BigInt64Array): Vector {
  return new Vector([makeData({ type, length: data.length, data } as never)]);
}
