import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupBy } from '../../src/lineage/group.ts';

const things = fc
  .array(fc.nat(30), { maxLength: 200, size: 'max' })
  .chain((groups) =>
    fc.tuple(
      fc.constant(groups),
      fc.shuffledSubarray([...groups.keys()], { minLength: groups.length, maxLength: groups.length }),
    ),
  );

test('things are in the groups that a filter finds, in the order in which they are taken', () => {
  fc.assert(
    fc.property(things, ([groupOf, order]) => {
      const given = Int32Array.from(groupOf);
      for (const taken of [undefined, order]) {
        const { starts, items } = groupBy(given, 31, taken && Int32Array.from(taken));
        expect(items.length).toBe(groupOf.length);
        for (let group = 0; group < 31; group++)
          expect([...items.subarray(starts[group], starts[group + 1])]).toEqual(
            (taken ?? [...groupOf.keys()]).filter((thing) => groupOf[thing] === group),
          );
      }
    }),
    { seed: 22, numRuns: 100 },
  );
});
