import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equals } from '../../../../src/predicate/index.ts';
import { fileExtent, manifestExtent } from '../../../../src/warehouse/iceberg/read/extent.ts';
import { mayMatch, pruner } from '../../../../src/warehouse/iceberg/read/prune.ts';
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
const ORDERS: Readonly<Record<string, Order>> = { bytes: Buffer.compare, signed };

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

test.each(Object.keys(ORDERS))('no uuid is passed over by bounds in the order of %s', (name) => {
  fc.assert(
    fc.property(uuids, (rows) => {
      const sorted = [...rows].sort(ORDERS[name]);
      const [lower, upper] = [sorted[0]!, sorted.at(-1)!];
      const metrics = {
        ...NO_METRICS,
        lowerBounds: new Map([[1, lower]]),
        upperBounds: new Map([[1, upper]]),
      };
      const file = { ...fileExtent(fileOf({ metrics })), partition: () => undefined };
      const summary = { containsNull: false, containsNan: null, lowerBound: lower, upperBound: upper };
      const manifest = manifestExtent({ specId: 0, partitions: [summary] } as unknown as Parameters<
        typeof manifestExtent
      >[0]);
      for (const row of rows) {
        expect(mayMatch(asked(row)(file))).toBe(true);
        expect(mayMatch(asked(row)(manifest))).toBe(true);
      }
    }),
    { seed: 14216, numRuns: 500 },
  );
});

test('a uuid outside of bounds that both orders agree on is passed over', () => {
  const of = (first: number): Buffer => Buffer.from([first, ...Array(15).fill(0)]);
  const metrics = {
    ...NO_METRICS,
    lowerBounds: new Map([[1, of(0x10)]]),
    upperBounds: new Map([[1, of(0x20)]]),
  };
  const file = { ...fileExtent(fileOf({ metrics })), partition: () => undefined };
  expect(mayMatch(asked(of(0x30))(file))).toBe(false);
  expect(mayMatch(asked(of(0x90))(file))).toBe(false);
});
