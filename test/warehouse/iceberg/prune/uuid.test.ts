import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equals } from '../../../../src/predicate/index.ts';
import { fileExtent, manifestExtent } from '../../../../src/warehouse/iceberg/read/extent.ts';
import { allMatch, mayMatch, pruner } from '../../../../src/warehouse/iceberg/read/prune.ts';
import type { Schema } from '../../../../src/warehouse/schema.ts';
import { NO_METRICS } from '../../../contracts/data-plane/build.ts';
import { fileOf } from './tested-table.ts';

const schema: Schema = {
  id: 0,
  identifierFieldIds: [],
  fields: [{ id: 1, name: 'id', type: 'uuid', required: false }],
};
const specs = [{ id: 0, fields: [{ fieldId: 1000, sourceIds: [1], name: 'id', transform: 'identity' }] }];

type Order = (left: Buffer, right: Buffer) => number;
/** As `java.util.UUID.compareTo` has it: first half, then second, each a signed number. */
const signed: Order = (left, right) =>
  Number(
    left.readBigInt64BE(0) - right.readBigInt64BE(0) || left.readBigInt64BE(8) - right.readBigInt64BE(8),
  );
/** How the bounds of a file come about, row group by row group. */
const WRITERS: Readonly<Record<string, { readonly within: Order; readonly between: Order }>> = {
  'the order of the bytes': { within: Buffer.compare, between: Buffer.compare },
  'the order of signed numbers': { within: signed, between: signed },
  'one order within row groups and another between them': { within: Buffer.compare, between: signed },
};

/** Few first bytes and few last ones, so that halves are equal and signs differ. */
const uuids = fc.array(
  fc
    .tuple(fc.constantFrom(0x00, 0x10, 0x7f, 0x80, 0x90, 0xff), fc.constantFrom(0x00, 0x7f, 0x80, 0xff))
    .map(([first, second]) => Buffer.from([first, ...Array(7).fill(0), second, ...Array(7).fill(0)])),
  { minLength: 1, maxLength: 4 },
);

const asked = (uuid: Buffer): ReturnType<typeof pruner> => {
  const hex = uuid.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return pruner(equals('id', { type: 'uuid', value: hex }), { schema, specs });
};

test.each(Object.keys(WRITERS))(
  'no uuid is passed over, nor a file taken for one of a single value, by bounds in %s',
  (name) => {
    const { within, between } = WRITERS[name]!;
    fc.assert(
      fc.property(fc.array(uuids, { minLength: 1, maxLength: 3 }), (groups) => {
        const sorted = groups.map((group) => [...group].sort(within));
        const lower = sorted.map((group) => group[0]!).sort(between)[0]!;
        const upper = sorted
          .map((group) => group.at(-1)!)
          .sort(between)
          .at(-1)!;
        const rows = groups.flat();
        const metrics = {
          ...NO_METRICS,
          nullCounts: new Map([[1, 0n]]),
          valueCounts: new Map([[1, BigInt(rows.length)]]),
          lowerBounds: new Map([[1, lower]]),
          upperBounds: new Map([[1, upper]]),
        };
        const file = { ...fileExtent(fileOf({ metrics })), partition: () => undefined };
        const summary = { containsNull: false, containsNan: null, lowerBound: lower, upperBound: upper };
        const manifest = manifestExtent({ specId: 0, partitions: [summary] } as unknown as Parameters<
          typeof manifestExtent
        >[0]);
        const one = rows.every((row) => row.equals(rows[0]!));
        for (const row of rows) {
          expect(mayMatch(asked(row)(file))).toBe(true);
          expect(mayMatch(asked(row)(manifest))).toBe(true);
          if (!one) expect(allMatch(asked(row)(file))).toBe(false);
        }
      }),
      { seed: 14216, numRuns: 1000 },
    );
  },
);

test('a uuid outside of bounds that all orders agree on is passed over', () => {
  const of = (first: number): Buffer => Buffer.from([first, ...Array(15).fill(0)]);
  const metrics = {
    ...NO_METRICS,
    lowerBounds: new Map([[1, of(0x10)]]),
    upperBounds: new Map([[1, of(0x90)]]),
  };
  const file = { ...fileExtent(fileOf({ metrics })), partition: () => undefined };
  expect(mayMatch(asked(of(0x0f))(file))).toBe(false);
  expect(mayMatch(asked(of(0xa0))(file))).toBe(false);
});
