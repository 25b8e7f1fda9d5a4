import { Int32, Table, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluate } from '../../src/predicate/index.ts';
import { notTrue } from '../../src/predicate/not-true.ts';
import type { Predicate } from '../../src/predicate/predicate.ts';

const column = fc.constantFrom('a', 'b');
const value = fc
  .integer({ min: 0, max: 2 })
  .map((number) => ({ type: 'int', value: String(number) }) as const);

const { predicate } = fc.letrec<{ predicate: Predicate }>((tie) => ({
  predicate: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Predicate>({ kind: 'always' }, { kind: 'never' }),
    fc.record({
      kind: fc.constant('compare' as const),
      column,
      op: fc.constantFrom('=' as const, '<' as const),
      value,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      column,
      values: fc.array(value, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ kind: fc.constant('is-null' as const), column }),
    fc.record({ kind: fc.constant('not' as const), of: tie('predicate') }),
    fc.record({
      kind: fc.constant('and' as const),
      of: fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('or' as const),
      of: fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

/** Every pair of 0, 1, 2 and null. */
const values = [0, 1, 2, null];
const table = new Table({
  a: vectorFromArray(
    values.flatMap((a) => values.map(() => a)),
    new Int32(),
  ),
  b: vectorFromArray(
    values.flatMap(() => values),
    new Int32(),
  ),
});

test('a row is matched by a predicate or by its not-true, never by both or neither', () => {
  fc.assert(
    fc.property(predicate, (given) => {
      const matched = evaluate(given, table);
      expect(evaluate(notTrue(given), table)).toEqual(matched.map((each) => !each));
    }),
    { seed: 3590, numRuns: 500 },
  );
});
