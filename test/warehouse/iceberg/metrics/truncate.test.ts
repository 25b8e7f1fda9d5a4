import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  truncateBytes,
  truncateBytesUp,
  truncateText,
  truncateTextUp,
} from '../../../../src/warehouse/iceberg/metrics/truncate.ts';

const order = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const word = fc.string({ unit: 'binary', maxLength: 40 });
const length = fc.integer({ min: 1, max: 20 });
const seed = 2026;

// What PyIceberg 0.12.0 gives (pyiceberg.utils.truncate), checked once.
test.each([
  ['イロハニホヘト', 2, 'イヮ'],
  ['イロハニホヘト', 7, 'イロハニホヘト'],
  ['щщаεはчωいにπάほхεろへσκζ', 7, 'щщаεはчϊ'],
  ['aनि\u{10ffff}', 3, 'aनी'],
  ['\u{10ffff}\u{10ffff}', 1, null],
  ['zoe.zimmermann-mueller', 16, 'zoe.zimmermann-n'],
  ['🙂🙂', 1, '🙃'],
])('the upper bound of %j cut to %i is %j', (text, cut, expected) => {
  expect(truncateTextUp(text, cut)).toBe(expected);
});

test('skips the surrogates, and carries over code points that cannot grow', () => {
  expect(truncateTextUp('\ud7ffb', 1)).toBe('\ue000');
  expect(truncateTextUp('a\u{10ffff}\u{10ffff}', 2)).toBe('b');
});

test('bounds of text hold the text between them, in at most so many code points', () => {
  fc.assert(
    fc.property(word, length, (text, cut) => {
      const [lower, upper] = [truncateText(text, cut), truncateTextUp(text, cut)];
      expect([...lower].length).toBeLessThanOrEqual(cut);
      expect(order(lower, text)).toBeLessThanOrEqual(0);
      if (upper === null) return;
      expect([...upper].length).toBeLessThanOrEqual(cut);
      expect(order(text, upper)).toBeLessThanOrEqual(0);
      expect(Buffer.from(upper).toString()).toBe(upper);
    }),
    { seed, numRuns: 2000 },
  );
});

test('the upper bound is above every text that begins alike', () => {
  fc.assert(
    fc.property(word, word, length, (text, more, cut) => {
      const upper = truncateTextUp(text, cut);
      if (upper !== null && [...text].length > cut)
        expect(order(truncateText(text, cut) + more, upper)).toBe(-1);
    }),
    { seed, numRuns: 2000 },
  );
});

test('bounds of bytes hold the bytes between them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), length, (bytes, cut) => {
      const [lower, upper] = [truncateBytes(bytes, cut), truncateBytesUp(bytes, cut)];
      expect(lower.length).toBeLessThanOrEqual(cut);
      expect(Buffer.compare(lower, bytes)).toBeLessThanOrEqual(0);
      if (upper === null) expect(bytes.subarray(0, cut).every((byte) => byte === 0xff)).toBe(true);
      else expect(Buffer.compare(bytes, upper)).toBeLessThanOrEqual(0);
    }),
    { seed, numRuns: 2000 },
  );
});
