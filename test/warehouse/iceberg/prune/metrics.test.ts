import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Predicate } from '../../../../src/predicate/predicate.ts';
import type { Literal } from '../../../../src/values/literal.ts';
import type { DataFile } from '../../../../src/warehouse/data-file.ts';
import { fileExtent } from '../../../../src/warehouse/iceberg/read/extent.ts';
import { allMatch, mayMatch, pruner } from '../../../../src/warehouse/iceberg/read/prune.ts';
import { NO_METRICS } from '../../../contracts/data-plane/build.ts';
import { fileOf, int64, long, SCHEMA, text } from './tested-table.ts';

const CONTEXT = { schema: SCHEMA, specs: [{ id: 0, fields: [] }] };

const float64 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

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
      const outcomes = pruner(where, CONTEXT)(fileExtent(fileWith(rows)));
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
  const may = (where: Predicate): boolean => mayMatch(pruner(where, CONTEXT)(fileExtent(file)));
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
    const prune = pruner(oneOf([long(2n ** 40n)]), CONTEXT);
    expect(mayMatch(prune(fileExtent(promoted)))).toBe(false);
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
      pruner(where, CONTEXT)(fileExtent(fileOf({ metrics: { ...NO_METRICS, ...bounds, nanCounts } }))),
    );
  expect(may(new Map())).toBe(true);
  expect(may(new Map([[3, 1n]]))).toBe(true);
  expect(may(new Map([[3, 0n]]))).toBe(false);
});
