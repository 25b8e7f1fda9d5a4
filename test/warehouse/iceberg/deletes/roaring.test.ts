import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deletionVector } from '../../../../src/warehouse/iceberg/deletes/deletion-vector.ts';
import { roaring64 } from '../../../../src/warehouse/iceberg/deletes/roaring.ts';
import { deletionVectorBlob } from '../../../support/deletion-vector.ts';
import { sharedPath, sharedReason } from '../../../support/shared.ts';

const root = sharedPath('samples', 'iceberg', 'fixtures-iceberg-go-dv');
const why = root === null ? ` (${sharedReason('samples', 'iceberg')})` : '';
const read = (name: string): Uint8Array => readFileSync(`${root}/${name}`);
const all = (positions: Iterable<readonly bigint[]>): readonly bigint[] => [...positions].flat();
const range = (from: bigint, to: bigint, step = 1n): readonly bigint[] =>
  Array.from({ length: Number((to - from) / step) }, (_, index) => from + BigInt(index) * step);

describe.skipIf(root === null)(`bitmaps that Java and Rust wrote${why}`, () => {
  /** The values as the tests beside which these files stand build them (TestRoaringPositionBitmap, TestBitmapPositionDeleteIndex). */
  const container = (key: bigint, at: bigint): bigint => (key << 32n) | (at * 0x1_0000n);
  const kinds = (key: bigint, some: readonly bigint[], run: readonly [bigint, bigint]): readonly bigint[] => [
    ...some.map((low) => container(key, 0n) + low),
    ...range(container(key, 1n) + run[0], container(key, 1n) + run[1]),
    ...range(container(key, 2n) + 1n, container(key, 3n) - 1n),
  ];
  test.each<readonly [string, readonly bigint[]]>([
    ['64mapempty.bin', []],
    ['64map32bitvals.bin', range(0n, 10n)],
    [
      '64mapspreadvals.bin',
      range(0n, 10n).flatMap((high) => range(0n, 10n).map((low) => (high << 32n) | low)),
    ],
  ])('%s', (name, expected) => {
    expect(all(roaring64(read(name)))).toEqual(expected);
  });

  test('a key beyond the positions is an error', () => {
    expect(() => all(roaring64(read('64maphighvals.bin')))).toThrow(RangeError);
  });

  test.each<readonly [string, readonly bigint[]]>([
    ['empty-position-index.bin', []],
    ['small-alternating-values-position-index.bin', [1n, 3n, 5n, 7n, 9n]],
    ['small-and-large-values-position-index.bin', [100n, 101n, 0x7fff_ffffn + 100n, 0x7fff_ffffn + 101n]],
    [
      'all-container-types-position-index.bin',
      [...kinds(0n, [5n, 7n], [1n, 1000n]), ...kinds(1n, [10n, 20n], [10n, 500n])],
    ],
  ])('%s', (name, expected) => {
    expect(all(deletionVector(read(name)))).toEqual(expected);
  });
});

describe('vectors', () => {
  const positions = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 34 }), { maxLength: 300 });

  test('give the positions that were put in, ascending', () => {
    fc.assert(
      fc.property(positions, (some) => {
        const sorted = some.sort((a, b) => a - b);
        expect(all(deletionVector(deletionVectorBlob(sorted)))).toEqual(sorted.map(BigInt));
      }),
      { seed: 11 },
    );
  });

  test('with damage are an error or the same positions, never others', () => {
    fc.assert(
      fc.property(
        positions,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        (some, at, flip, cut) => {
          const blob = deletionVectorBlob(some.sort((a, b) => a - b));
          const place = at % blob.length;
          const damaged = cut ? blob.subarray(0, place) : Buffer.from(blob);
          if (!cut) damaged.writeUInt8(damaged[place]! ^ flip, place);
          expect(() => all(deletionVector(damaged))).toThrow(RangeError);
        },
      ),
      { seed: 12 },
    );
  });

  test('a bitmap of noise ends in an error, not in a hang or a full memory', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        try {
          for (const some of roaring64(noise)) expect(some.length).toBeLessThanOrEqual(65_536);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { seed: 13, numRuns: 2000 },
    );
  });
});
