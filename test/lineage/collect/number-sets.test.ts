import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberSets } from '../../../src/lineage/collect/number-sets.ts';

const numbers = fc.array(fc.nat(8), { maxLength: 6 });

test('equal sets are one object, in any order and with duplicates, and a union has what both have', () => {
  const sets = new NumberSets();
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const sorted = (all: readonly number[]): number[] => [...new Set(all)].sort((one, two) => one - two);
      expect(sets.of(a).numbers).toEqual(sorted(a));
      expect(sets.of(a) === sets.of(b)).toBe(sorted(a).join() === sorted(b).join());
      expect(sets.of(a).id === sets.of(b).id).toBe(sets.of(a) === sets.of(b));
      expect(sets.union(sets.of(a), sets.of(b))).toBe(sets.of([...b, ...a]));
    }),
    { seed: 3, numRuns: 500 },
  );
});
