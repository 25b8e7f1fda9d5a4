import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Predicate } from '../../../../src/predicate/predicate.ts';
import type { Literal } from '../../../../src/values/literal.ts';
import type { ManifestEntry } from '../../../../src/warehouse/iceberg/manifest/manifest-list.ts';
import { summarize } from '../../../../src/warehouse/iceberg/manifest/partition-summary.ts';
import { type Comparable, toLiteral } from '../../../../src/warehouse/iceberg/manifest/single-value.ts';
import { resultType } from '../../../../src/warehouse/iceberg/metadata/partition.ts';
import { transformOf } from '../../../../src/warehouse/iceberg/metadata/transform.ts';
import { manifestExtent } from '../../../../src/warehouse/iceberg/read/extent.ts';
import { mayMatch, pruner } from '../../../../src/warehouse/iceberg/read/prune.ts';
import { int64, long, SCHEMA, text } from './tested-table.ts';

const HOUR = 3_600_000_000n;

/** A column, a transform of it, and values near the limits of its partitions. */
const PARTITIONED = [
  { column: 'id', type: 'long', transforms: ['identity', 'truncate[10]', 'bucket[4]', 'void'] },
  { column: 'na"me.x', type: 'string', transforms: ['identity', 'truncate[2]', 'bucket[4]'] },
  { column: 'ratio', type: 'double', transforms: ['identity'] },
  { column: 'at', type: 'timestamptz', transforms: ['identity', 'hour', 'day', 'month', 'year'] },
] as const;
type Column = (typeof PARTITIONED)[number]['column'];

const VALUES: Readonly<Record<Column, readonly Comparable[]>> = {
  id: [-21n, -20n, -11n, -10n, -1n, 0n, 9n, 10n, 19n, 2n ** 31n - 1n, 2n ** 53n + 1n],
  'na"me.x': ['', 'a', 'ab', 'abc', 'b', 'zoë', '😀😀😀'].map((value) => new TextEncoder().encode(value)),
  ratio: [-1.5, 0, 1.5, Number.NaN],
  at: [-25n, -24n, -1n, 0n, 1n, 23n, 24n, 744n, 745n, 8760n].map((hour) => hour * HOUR + 5n),
};

const table = fc.constantFrom(...PARTITIONED).chain(({ column, type, transforms }) =>
  fc.record({
    column: fc.constant(column),
    type: fc.constant(type),
    transform: fc.constantFrom<string>(...transforms),
    rows: fc.array(fc.option(fc.constantFrom(...VALUES[column])), { minLength: 1, maxLength: 4 }),
    wanted: fc.array(fc.constantFrom(...VALUES[column]), { minLength: 1, maxLength: 3 }),
    op: fc.constantFrom('in', 'is-null', '=', '<', '>=', '>'),
  }),
);

/** NaN is above all numbers, and equal to itself. */
function order(left: Comparable, right: Comparable): number {
  if (left instanceof Uint8Array) return Buffer.compare(left, right as Uint8Array);
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  return left < right ? -1 : left > right ? 1 : 0;
}

test('a manifest with a matching row is never passed over', () => {
  let pruned = 0;
  fc.assert(
    fc.property(table, ({ column, type, transform, rows, wanted, op }) => {
      const apply = transformOf(transform, type)!;
      const result = resultType(transform, type)!;
      const literal = (of: typeof type | typeof result, value: Comparable | null): Literal | null =>
        value === null ? null : toLiteral(of, value);
      const where: Predicate =
        op === 'is-null'
          ? { kind: op, column }
          : op === 'in'
            ? { kind: op, column, values: wanted.map((value) => literal(type, value)!) }
            : { kind: 'compare', column, op, value: literal(type, wanted[0]!)! };
      const matches = (row: Comparable | null): boolean => {
        if (row === null || op === 'is-null') return row === null && op === 'is-null';
        if (op === 'in') return wanted.some((value) => order(row, value) === 0);
        const side = order(row, wanted[0]!);
        return { '=': side === 0, '<': side < 0, '>=': side >= 0, '>': side > 0 }[op];
      };
      const manifest = manifestOf(
        summarize(
          [result],
          rows.map((row) => [literal(result, apply(row))]),
        ),
      );
      const sourceIds = SCHEMA.fields.filter(({ name }) => name === column).map(({ id }) => id);
      const specs = [{ id: 7, fields: [{ fieldId: 1000, sourceIds, name: 'p', transform }] }];
      if (mayMatch(pruner(where, { schema: SCHEMA, specs })(manifestExtent(manifest)))) return;
      pruned += 1;
      expect(rows.some(matches)).toBe(false);
    }),
    { seed: 20261130, numRuns: 5000 },
  );
  // It must also be of use.
  expect(pruned).toBeGreaterThan(1000);
});

test('a summary that is left out, or one of a transform that nobody knows, proves nothing', () => {
  const where: Predicate = { kind: 'in', column: 'id', values: [long(7n)] };
  const may = (transform: string, partitions: ManifestEntry['partitions']): boolean => {
    const specs = [{ id: 7, fields: [{ fieldId: 1000, sourceIds: [1], name: 'p', transform }] }];
    return mayMatch(pruner(where, { schema: SCHEMA, specs })(manifestExtent(manifestOf(partitions))));
  };
  const other = { containsNull: false, containsNan: null, lowerBound: int64(8n), upperBound: int64(9n) };
  expect(may('identity', [other])).toBe(false);
  expect(may('identity', [])).toBe(true);
  expect(may('zorder', [other])).toBe(true);
  // Written before the column became long.
  expect(may('identity', [{ ...other, lowerBound: Uint8Array.of(8, 0, 0, 0) }])).toBe(false);
});

test('numbers whose truncation may have left the type prove nothing, whatever lies beside them', () => {
  // Java puts -2147483648 into the partition 2147483646 of steps of 10; the column has become a long since.
  const summary = summarize(['long'], [[long(10n)], [long(2_147_483_646n)], [long(3_000_000_000n)]]);
  const specs = [
    { id: 7, fields: [{ fieldId: 1000, sourceIds: [1], name: 'p', transform: 'truncate[10]' }] },
  ];
  const may = (value: bigint): boolean => {
    const where: Predicate = { kind: 'compare', column: 'id', op: '=', value: long(value) };
    return mayMatch(pruner(where, { schema: SCHEMA, specs })(manifestExtent(manifestOf(summary))));
  };
  expect(may(-2_147_483_648n)).toBe(true);
  expect(may(-5n)).toBe(false);
});

test('texts of which one partition holds the beginning', () => {
  const summary = summarize(['string'], [[text('ab')], [text('cd')]]);
  const specs = [{ id: 7, fields: [{ fieldId: 1000, sourceIds: [2], name: 'p', transform: 'truncate[2]' }] }];
  const may = (value: string): boolean =>
    mayMatch(
      pruner(
        { kind: 'in', column: 'na"me.x', values: [text(value)] },
        { schema: SCHEMA, specs },
      )(manifestExtent(manifestOf(summary))),
    );
  expect(['a', 'abz', 'bzz', 'cd', 'cda', 'ce'].filter(may)).toEqual(['abz', 'bzz', 'cd', 'cda']);
});

function manifestOf(partitions: ManifestEntry['partitions']): ManifestEntry {
  return {
    path: '/m',
    length: 1n,
    specId: 7,
    content: 'data',
    sequenceNumber: 1n,
    minSequenceNumber: 1n,
    addedSnapshotId: 1n,
    counts: null,
    partitions,
  };
}
