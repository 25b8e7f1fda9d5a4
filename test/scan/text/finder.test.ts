import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finder } from '../../../src/scan/text/finder.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Every place of every pattern, by the definition: ASCII letters of either case are equal, nothing else is. */
function naive(text: Uint8Array, patterns: readonly Uint8Array[]): readonly string[] {
  const lower = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);
  const found: string[] = [];
  patterns.forEach((pattern, id) => {
    for (let at = 0; at + pattern.length <= text.length; at++) {
      if (pattern.every((byte, k) => lower(text[at + k]!) === byte)) found.push(`${id}@${at}`);
    }
  });
  return found.sort();
}

function all(text: Uint8Array, patterns: readonly Uint8Array[]): readonly string[] {
  const found: string[] = [];
  finder(patterns)(text, 0, text.length, (id, at) => {
    found.push(`${id}@${at}`);
    return false;
  });
  return found.sort();
}

const letters = fc.constantFrom('a', 'b', 'A', 'B', 'é', '0', '\0');
const some = (min: number, max: number) =>
  fc.array(letters, { minLength: min, maxLength: max }).map((parts) => parts.join(''));
const lowerPattern = some(2, 6).map((text) => bytes(text.replace(/[AB]/g, (c) => c.toLowerCase())));

describe('finder', () => {
  test('finds what a search by definition finds, with few patterns and with many', () => {
    for (const count of [8, 90]) {
      fc.assert(
        fc.property(
          some(0, 200),
          fc.array(lowerPattern, { minLength: count === 8 ? 1 : 61, maxLength: count }),
          (text, patterns) => {
            expect(all(bytes(text), patterns)).toEqual(naive(bytes(text), patterns));
          },
        ),
        { seed: 3590, numRuns: 200 },
      );
    }
  });

  test('ends when a hit says so, and keeps within its bounds', () => {
    const search = finder([bytes('abc')]);
    const found: number[] = [];
    search(bytes('abc abc abc'), 0, 11, (_, at) => found.push(at) > 0);
    expect(found).toEqual([0]);
    found.length = 0;
    search(bytes('abc abc abc'), 1, 10, (_, at) => found.push(at) < 0);
    expect(found).toEqual([4]);
  });

  test('refuses a pattern of one byte, which its blocks could not see', () => {
    expect(() => finder([bytes('a')])).toThrow(RangeError);
  });
});
