import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Predicate } from '../../../src/predicate/predicate.ts';
import type { Literal } from '../../../src/values/literal.ts';
import type { DataFile } from '../../../src/warehouse/iceberg/manifest/data-file.ts';
import type { Schema } from '../../../src/warehouse/iceberg/metadata/types.ts';
import { allMatch, mayMatch, pruner } from '../../../src/warehouse/iceberg/read/prune.ts';
import { NO_METRICS } from '../../contracts/data-plane/build.ts';

const SCHEMA: Schema = {
  id: 0,
  identifierFieldIds: [],
  fields: [
    { id: 1, name: 'id', required: false, type: 'long' },
    { id: 2, name: 'na"me.x', required: false, type: 'string' },
    { id: 3, name: 'ratio', required: false, type: 'double' },
    { id: 4, name: 'at', required: false, type: 'timestamptz' },
    {
      id: 5,
      name: 'tags',
      required: false,
      type: { type: 'list', elementId: 6, elementRequired: false, element: 'long' },
    },
  ],
};
const UNPARTITIONED = [{ id: 0, fields: [] }];

const long = (value: bigint): Literal => ({ type: 'long', value: String(value) });
const text = (value: string): Literal => ({ type: 'text', value });
const int64 = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
};
const float64 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

function fileOf(file: Partial<DataFile> = {}): DataFile {
  return {
    content: 'data',
    location: '/f',
    format: 'parquet',
    specId: 0,
    partition: [],
    recordCount: 10n,
    fileSize: 1n,
    metrics: NO_METRICS,
    ...file,
  };
}

interface Row {
  readonly id: bigint | null;
  readonly name: string | null;
}

/** The metrics that a careful writer keeps of rows. */
function fileWith(rows: readonly Row[]): DataFile {
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id])).sort((a, b) => (a < b ? -1 : 1));
  const names = rows.flatMap(({ name }) => (name === null ? [] : [Buffer.from(name)])).sort(Buffer.compare);
  const nulls = (present: readonly unknown[]): bigint => BigInt(rows.length - present.length);
  const count = BigInt(rows.length);
  return fileOf({
    recordCount: count,
    metrics: {
      ...NO_METRICS,
      valueCounts: new Map([
        [1, count],
        [2, count],
      ]),
      nullCounts: new Map([
        [1, nulls(ids)],
        [2, nulls(names)],
      ]),
      lowerBounds: new Map([
        ...(ids.length ? [[1, int64(ids[0]!)] as const] : []),
        ...(names.length ? [[2, names[0]!] as const] : []),
      ]),
      upperBounds: new Map([
        ...(ids.length ? [[1, int64(ids.at(-1)!)] as const] : []),
        ...(names.length ? [[2, names.at(-1)!] as const] : []),
      ]),
    },
  });
}

/** SQL's three values, row by row, in plain JavaScript: null is unknown. */
function truth(predicate: Predicate, row: Row): boolean | null {
  switch (predicate.kind) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'not': {
      const of = truth(predicate.of, row);
      return of === null ? null : !of;
    }
    case 'and': {
      const parts = predicate.of.map((part) => truth(part, row));
      return parts.includes(false) ? false : parts.includes(null) ? null : true;
    }
    case 'or': {
      const parts = predicate.of.map((part) => truth(part, row));
      return parts.includes(true) ? true : parts.includes(null) ? null : false;
    }
    case 'is-null':
      return (predicate.column === 'id' ? row.id : row.name) === null;
    case 'in': {
      const own = predicate.column === 'id' ? row.id : row.name;
      return own === null ? null : predicate.values.some(({ value }) => value === String(own));
    }
    case 'compare': {
      const own = predicate.column === 'id' ? row.id : row.name;
      if (own === null) return null;
      const order =
        typeof own === 'bigint'
          ? Number(own - BigInt(predicate.value.value))
          : Buffer.compare(Buffer.from(own), Buffer.from(String(predicate.value.value)));
      const holds = {
        '=': order === 0,
        '<>': order !== 0,
        '<': order < 0,
        '<=': order <= 0,
        '>': order > 0,
        '>=': order >= 0,
      };
      return holds[predicate.op];
    }
    case 'before-day':
      throw new Error('not made here');
  }
}

const id = fc.bigInt(-4n, 4n);
const name = fc.constantFrom('a', 'b', 'b\u{10000}', 'b\uffff', 'é', '😀');
const column = fc.oneof(
  fc.record({ column: fc.constant('id'), values: fc.array(id.map(long), { minLength: 1, maxLength: 5 }) }),
  fc.record({
    column: fc.constant('na"me.x'),
    values: fc.array(name.map(text), { minLength: 1, maxLength: 5 }),
  }),
);
const leaf: fc.Arbitrary<Predicate> = fc.oneof(
  fc.constantFrom<Predicate>(
    { kind: 'always' },
    { kind: 'never' },
    { kind: 'is-null', column: 'id' },
    { kind: 'is-null', column: 'na"me.x' },
  ),
  column.map(({ column, values }) => ({ kind: 'in', column, values }) as Predicate),
  fc
    .tuple(column, fc.constantFrom('=', '<>', '<', '<=', '>', '>='))
    .map(([{ column, values }, op]) => ({ kind: 'compare', column, op, value: values[0]! }) as Predicate),
);
const { predicate } = fc.letrec<{ predicate: Predicate }>((tie) => ({
  predicate: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('predicate').map((of) => ({ kind: 'not', of }) as Predicate),
    fc.array(tie('predicate'), { maxLength: 3 }).map((of) => ({ kind: 'and', of }) as Predicate),
    fc.array(tie('predicate'), { maxLength: 3 }).map((of) => ({ kind: 'or', of }) as Predicate),
  ),
}));
const rows = fc.array(fc.record({ id: fc.option(id), name: fc.option(name) }), {
  minLength: 1,
  maxLength: 6,
});

test('a file with a matching row is never passed over, and one taken whole has no other row', () => {
  let [pruned, whole] = [0, 0];
  fc.assert(
    fc.property(predicate, rows, (where, rows) => {
      const outcomes = pruner(where, SCHEMA, UNPARTITIONED)(fileWith(rows));
      const truths = rows.map((row) => truth(where, row));
      if (!mayMatch(outcomes)) {
        pruned += 1;
        expect(truths).not.toContain(true);
      }
      if (allMatch(outcomes)) {
        whole += 1;
        expect(truths.every((value) => value === true)).toBe(true);
      }
    }),
    { seed: 20261001, numRuns: 5000 },
  );
  // It must also be of use.
  expect(pruned).toBeGreaterThan(500);
  expect(whole).toBeGreaterThan(100);
});

describe('one file of ids 100 to 199', () => {
  const file = fileOf({
    recordCount: 100n,
    metrics: {
      ...NO_METRICS,
      valueCounts: new Map([[1, 100n]]),
      nullCounts: new Map([[1, 0n]]),
      lowerBounds: new Map([[1, int64(100n)]]),
      upperBounds: new Map([[1, int64(199n)]]),
    },
  });
  const may = (where: Predicate): boolean => mayMatch(pruner(where, SCHEMA, UNPARTITIONED)(file));
  const oneOf = (values: readonly Literal[]): Predicate => ({ kind: 'in', column: 'id', values });

  test('is not opened for 10,000 ids of which none is between', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => long(BigInt(index < 100 ? index : index + 100)));
    expect(may(oneOf(ids))).toBe(false);
    expect(may(oneOf([...ids, long(150n)]))).toBe(true);
  });

  test('is opened where a value is of another type, or the column unknown: the data plane decides', () => {
    expect(may(oneOf([text('7')]))).toBe(true);
    expect(may({ kind: 'in', column: 'nowhere', values: [long(1n)] })).toBe(true);
    expect(may({ kind: 'compare', column: 'tags.element', op: '=', value: long(1n) })).toBe(true);
  });

  test('written as int before the column became long is understood', () => {
    const promoted = fileOf({
      metrics: {
        ...NO_METRICS,
        lowerBounds: new Map([[1, Uint8Array.of(100, 0, 0, 0)]]),
        upperBounds: new Map([[1, Uint8Array.of(199, 0, 0, 0)]]),
      },
    });
    const prune = pruner(oneOf([long(2n ** 40n)]), SCHEMA, UNPARTITIONED);
    expect(mayMatch(prune(promoted))).toBe(false);
  });
});

test('NaN is above every number and in no bound, so an upper bound proves nothing where NaN may be', () => {
  const bounds = { lowerBounds: new Map([[3, float64(1)]]), upperBounds: new Map([[3, float64(2)]]) };
  const where: Predicate = {
    kind: 'compare',
    column: 'ratio',
    op: '>',
    value: { type: 'double', value: '5' },
  };
  const may = (nanCounts: ReadonlyMap<number, bigint>): boolean =>
    mayMatch(
      pruner(where, SCHEMA, UNPARTITIONED)(fileOf({ metrics: { ...NO_METRICS, ...bounds, nanCounts } })),
    );
  expect(may(new Map())).toBe(true);
  expect(may(new Map([[3, 1n]]))).toBe(true);
  expect(may(new Map([[3, 0n]]))).toBe(false);
});

describe('partition values', () => {
  const spec = (transform: string, sourceId: number) => [
    { id: 0, fields: [] },
    { id: 7, fields: [{ fieldId: 1000, sourceIds: [sourceId], name: 'p', transform }] },
  ];
  const prune = (transform: string, sourceId: number, value: Literal | null, where: Predicate) =>
    pruner(where, SCHEMA, spec(transform, sourceId))(fileOf({ specId: 7, partition: [value] }));
  const at = (op: '<' | '>=', value: string): Predicate => ({
    kind: 'compare',
    column: 'at',
    op,
    value: { type: 'timestamptz', value },
  });
  const before = (day: string, timeZone: string): Predicate => ({
    kind: 'before-day',
    column: 'at',
    day,
    timeZone,
  });

  test('R6: identity proves a whole file, and its absence from all others', () => {
    const where: Predicate = { kind: 'compare', column: 'id', op: '=', value: long(7n) };
    expect(allMatch(prune('identity', 1, long(7n), where))).toBe(true);
    expect(mayMatch(prune('identity', 1, long(8n), where))).toBe(false);
    expect(mayMatch(prune('identity', 1, null, where))).toBe(false);
    expect(allMatch(prune('identity', 1, null, { kind: 'is-null', column: 'id' }))).toBe(true);
  });

  test('R6: a day before the cutoff goes whole, the day after it is not touched', () => {
    const day = (value: string): Literal => ({ type: 'date', value });
    const cutoff = at('<', '2026-10-01T00:00:00Z');
    expect(allMatch(prune('day', 4, day('2026-09-30'), cutoff))).toBe(true);
    expect(mayMatch(prune('day', 4, day('2026-10-01'), cutoff))).toBe(false);
    const noon = at('<', '2026-10-01T12:00:00Z');
    expect([
      mayMatch(prune('day', 4, day('2026-10-01'), noon)),
      allMatch(prune('day', 4, day('2026-10-01'), noon)),
    ]).toEqual([true, false]);
  });

  test('a day of another zone leaves its neighbours open', () => {
    const day = (value: string): Literal => ({ type: 'date', value });
    const outcome = (value: string, zone: string) => {
      const outcomes = prune('day', 4, day(value), before('2026-10-01', zone));
      return allMatch(outcomes) ? 'all' : mayMatch(outcomes) ? 'some' : 'none';
    };
    expect(outcome('2026-09-30', 'UTC')).toBe('all');
    expect(outcome('2026-10-01', 'UTC')).toBe('none');
    expect(outcome('2026-09-29', 'Europe/Berlin')).toBe('all');
    expect(outcome('2026-09-30', 'Europe/Berlin')).toBe('some');
    expect(outcome('2026-10-01', 'America/New_York')).toBe('some');
    expect(outcome('2026-10-02', 'America/New_York')).toBe('none');
  });

  test('hours, truncated numbers and negative ones are intervals', () => {
    const hour = (value: string): Literal => ({ type: 'int', value });
    const epoch = at('>=', '1970-01-01T01:00:00Z');
    expect(allMatch(prune('hour', 4, hour('1'), epoch))).toBe(true);
    expect(mayMatch(prune('hour', 4, hour('0'), epoch))).toBe(false);
    const below: Predicate = { kind: 'compare', column: 'id', op: '<', value: long(-10n) };
    expect(allMatch(prune('truncate[10]', 1, long(-20n), below))).toBe(true);
    expect(mayMatch(prune('truncate[10]', 1, long(-10n), below))).toBe(false);
  });

  test('a transform of no name, one that keeps nothing, and a bucket where it is not asked for equality, prove nothing', () => {
    const where: Predicate = { kind: 'compare', column: 'id', op: '=', value: long(7n) };
    for (const transform of ['zorder', 'void']) {
      expect(mayMatch(prune(transform, 1, { type: 'int', value: '3' }, where))).toBe(true);
    }
    const above: Predicate = { kind: 'compare', column: 'id', op: '>', value: long(7n) };
    expect(mayMatch(prune('bucket[16]', 1, { type: 'int', value: '3' }, above))).toBe(true);
    const other: Predicate = { kind: 'not', of: { kind: 'in', column: 'id', values: [long(34n)] } };
    expect(mayMatch(prune('bucket[16]', 1, { type: 'int', value: '3' }, other))).toBe(true);
  });

  test('a bucket holds only what the published hash puts there, for one value and for many', () => {
    const bucket = (value: number): Literal => ({ type: 'int', value: String(value) });
    // Appendix B of the specification: 34 hashes to 2017239379, and "iceberg" to 1210000089.
    const [ofNumber, ofText] = [2017239379 % 16, 1210000089 % 16];
    const id: Predicate = { kind: 'compare', column: 'id', op: '=', value: long(34n) };
    const name: Predicate = { kind: 'in', column: 'na"me.x', values: [text('iceberg')] };
    for (let each = 0; each < 16; each++) {
      expect(mayMatch(prune('bucket[16]', 1, bucket(each), id))).toBe(each === ofNumber);
      expect(mayMatch(prune('bucket[16]', 2, bucket(each), name))).toBe(each === ofText);
    }
    expect(mayMatch(prune('bucket[16]', 1, null, id))).toBe(false);
    // A bucket says which values are elsewhere, and never that all are here.
    expect(allMatch(prune('bucket[16]', 1, bucket(ofNumber), id))).toBe(false);
  });

  test('a truncated text holds only what begins so', () => {
    const where: Predicate = { kind: 'compare', column: 'na"me.x', op: '=', value: text('zoë z.') };
    expect(mayMatch(prune('truncate[3]', 2, text('zoë'), where))).toBe(true);
    expect(mayMatch(prune('truncate[3]', 2, text('zo'), where))).toBe(false);
  });

  test('a number whose truncation left the type and came out at its other end proves nothing', () => {
    // Java: -2147483648 - (((-2147483648 % 10) + 10) % 10) is 2147483646 in 32 bits.
    const [wrapped, smallest] = [long(2_147_483_646n), -2_147_483_648n];
    const compare = (op: '=' | '>=', value: bigint): Predicate => ({
      kind: 'compare',
      column: 'id',
      op,
      value: long(value),
    });
    expect(allMatch(prune('truncate[10]', 1, wrapped, compare('>=', -1n)))).toBe(false);
    expect(mayMatch(prune('truncate[10]', 1, wrapped, compare('=', smallest)))).toBe(true);
    expect(mayMatch(prune('truncate[10]', 1, wrapped, compare('=', 3n)))).toBe(false);
    const largest = long(BigInt.asIntN(64, -(2n ** 63n) - 2n));
    expect(allMatch(prune('truncate[10]', 1, largest, compare('>=', -1n)))).toBe(false);
    expect(mayMatch(prune('truncate[10]', 1, largest, compare('=', -(2n ** 63n))))).toBe(true);
  });

  test('a unit of 1970 or before may hold rows of the one before: old writers rounded towards zero', () => {
    const int = (value: string): Literal => ({ type: 'int', value });
    const units = [
      ['hour', int('0'), '1969-12-31T23:30:00Z', '1969-12-31T22:59:59Z'],
      ['day', { type: 'date', value: '1969-12-30' }, '1969-12-29T12:00:00Z', '1969-12-28T23:59:59Z'],
      ['month', int('-1'), '1969-11-15T00:00:00Z', '1969-10-31T00:00:00Z'],
      ['year', int('0'), '1969-06-01T00:00:00Z', '1968-12-31T00:00:00Z'],
      ['day', { type: 'date', value: '1970-01-02' }, '1970-01-02T00:00:01Z', '1970-01-01T23:59:59Z'],
    ] as const;
    for (const [transform, value, held, elsewhere] of units) {
      expect(mayMatch(prune(transform, 4, value, at('<', held)))).toBe(true);
      expect(allMatch(prune(transform, 4, value, at('>=', held)))).toBe(false);
      expect(mayMatch(prune(transform, 4, value, at('<', elsewhere)))).toBe(false);
    }
  });
});
