import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairTable } from '../../../src/lineage/collect/pair-table.ts';

// Seconds that differ only above the low bits want the same slot.
const second = fc.oneof(
  fc.integer({ min: -1, max: 40 }),
  fc.integer({ min: 0, max: 20 }).map((at) => at * 1024),
);
const pairs = fc.array(fc.tuple(fc.nat(300), second), { maxLength: 4000, size: 'max' });

test('pairs have the numbers that a map gives them, new and asked for again', () => {
  let widest = 0;
  fc.assert(
    fc.property(pairs, (all) => {
      const table = new PairTable();
      const numbers = new Map<string, number>();
      const found: unknown[] = [];
      const expected: unknown[] = [];
      for (const [first, second] of all) {
        const key = `${first} ${second}`;
        expected.push(numbers.get(key));
        if (!numbers.has(key)) numbers.set(key, numbers.size);
        expected.push(numbers.get(key));
        found.push(table.find(first, second), table.number(first, second));
      }
      expect(found).toEqual(expected);
      const kept = Array.from(table.firsts, (first, at) => `${first} ${table.seconds[at]!}`);
      expect(kept).toEqual([...numbers.keys()]);
      const again = Array.from(table.firsts, (first, at) => table.find(first, table.seconds[at]!));
      expect(again).toEqual([...numbers.values()]);
      expect(table.size).toBe(numbers.size);
      widest = Math.max(widest, table.size);
    }),
    { seed: 21, numRuns: 25 },
  );
  // More than the table begins with room for.
  expect(widest).toBeGreaterThan(1024);
});
