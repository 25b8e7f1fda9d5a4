import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deltaLengthTexts, deltaNumbers, deltaTexts } from '../../../src/scan/parquet/delta.ts';
import { countHybrid, levelsV1, readHybrid } from '../../../src/scan/parquet/levels.ts';
import { ENCODING } from '../../../src/scan/parquet/pages.ts';
import { Unread } from '../../../src/scan/unread.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** ULEB128 and zigzag, as the format's text defines them. */
function varint(value: bigint): number[] {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    out.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return out;
}
const zigzag = (value: bigint): number[] => varint(value < 0n ? -value * 2n - 1n : value * 2n);

const sorted = (values: readonly bigint[]): bigint[] =>
  [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

/** A DELTA_BINARY_PACKED writer: blocks of 128 in four miniblocks of 32, each as wide as it must be. */
function pack(values: readonly bigint[]): Uint8Array {
  const out = [...varint(128n), ...varint(4n), ...varint(BigInt(values.length)), ...zigzag(values[0] ?? 0n)];
  const deltas = values.slice(1).map((value, i) => BigInt.asIntN(64, value - values[i]!));
  for (let at = 0; at < deltas.length; at += 128) {
    const block = deltas.slice(at, at + 128);
    const [least = 0n] = sorted(block);
    const rests = block.map((delta) => BigInt.asUintN(64, delta - least));
    const minis = [0, 1, 2, 3].map((k) => rests.slice(k * 32, k * 32 + 32));
    const widths = minis.map((mini) => bitLength(sorted(mini).at(-1) ?? 0n));
    out.push(...zigzag(least), ...widths);
    minis.forEach((mini, k) => {
      let bits = 0n;
      for (let i = 0; i < mini.length; i++) bits |= mini[i]! << BigInt(i * widths[k]!);
      if (mini.length > 0)
        for (let b = 0; b < widths[k]! * 4; b++) out.push(Number((bits >> BigInt(8 * b)) & 255n));
    });
  }
  return bytes(...out);
}

describe('levels', () => {
  test('the bit-packed example of the format: 0 to 7, three bits each', () => {
    expect([...readHybrid(bytes(0x03, 0x88, 0xc6, 0xfa), 3, 8)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('the example of the deprecated BIT_PACKED: 0 to 7 from the high bit', () => {
    const { all, full, end } = levelsV1(bytes(0x05, 0x39, 0x77, 0xff), 0, {
      most: 7,
      encoding: ENCODING.BIT_PACKED,
      count: 8,
    });
    expect([...all()!]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(full).toBe(1);
    expect(end).toBe(3);
  });

  test('are counted as they are read, in every mixture', () => {
    const run = fc.record({
      width: fc.integer({ min: 1, max: 5 }),
      packed: fc.boolean(),
      groups: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(
        fc.array(run, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat(255)),
        fc.nat(7),
        (runs, random, less) => {
          const width = runs[0]!.width;
          const next = (): number => random.next().value as number;
          const written = runs.flatMap(({ packed, groups }) =>
            packed
              ? [(groups << 1) | 1, ...Array.from({ length: groups * width }, next)]
              : [groups << 1, next() & ((1 << width) - 1)],
          );
          const count = runs.reduce((sum, { packed, groups }) => sum + (packed ? groups * 8 : groups), 0);
          const asked = Math.max(1, count - less);
          const numbers = readHybrid(bytes(...written), width, asked);
          for (let wanted = 0; wanted < 1 << width; wanted += 1)
            expect(countHybrid(bytes(...written), width, { count: asked, wanted })).toBe(
              numbers.filter((number) => number === wanted).length,
            );
        },
      ),
      { seed: 3590, numRuns: 200 },
    );
  });

  test('runs and groups in one', () => {
    expect([...readHybrid(bytes(0x06, 0x01, 0x03, 0b10110101), 1, 11)]).toEqual([
      1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1,
    ]);
  });

  test.each([
    ['an empty run', bytes(0x00), 1],
    ['bytes that end early', bytes(0x03), 8],
    ['a header without end', bytes(0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 8],
  ])('refuses %s', (_, data, count) => {
    expect(() => readHybrid(data, 3, count)).toThrow(Unread);
  });
});

describe('delta encodings', () => {
  test('the first example of the format: 1 to 5', () => {
    const packed = bytes(0x80, 0x01, 0x04, 0x05, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00);
    expect([...deltaNumbers(packed, 0, 5).numbers]).toEqual([1n, 2n, 3n, 4n, 5n]);
  });

  test('any 64-bit numbers, whose differences wrap', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), { minLength: 1, maxLength: 300 }),
        (values) => {
          const { numbers, end } = deltaNumbers(pack(values), 0, values.length);
          expect([...numbers]).toEqual(values);
          expect(end).toBe(pack(values).length);
        },
      ),
      { seed: 3590, numRuns: 100 },
    );
  });

  test('texts by their lengths, and by what they share with the one before', () => {
    const utf8 = new TextEncoder();
    const lengths = bytes(...pack([5n, 5n]), ...utf8.encode('HelloWorld'));
    expect(deltaLengthTexts(lengths, 0, 2).map(String)).toEqual(
      ['Hello', 'World'].map((t) => String(utf8.encode(t))),
    );
    const shared = bytes(...pack([0n, 2n, 3n]), ...pack([4n, 4n, 0n]), ...utf8.encode('axisxle'), 0x21);
    const texts = deltaTexts(shared, 0, 3).map((text) => new TextDecoder().decode(text));
    expect(texts).toEqual(['axis', 'axxle!', 'axx']);
  });

  test.each([
    ['another count than the page says', () => deltaNumbers(pack([1n, 2n]), 0, 3)],
    ['a block that ends early', () => deltaNumbers(pack([1n, 900n, 5n]).subarray(0, 9), 0, 3)],
    ['a text longer than its page', () => deltaLengthTexts(pack([9n]), 0, 1)],
    ['a prefix longer than the text before', () => deltaTexts(bytes(...pack([3n]), ...pack([0n])), 0, 1)],
  ])('refuses %s', (_, read) => {
    expect(read).toThrow(Unread);
  });
});
