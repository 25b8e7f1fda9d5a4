import { expect, test } from 'vitest';
import { Recent } from '../../src/warehouse/recent.ts';

test('what was asked for longest ago goes first, and nothing is kept that is too large alone', () => {
  const recent = new Recent<string>(10);
  recent.keep('a', 'A', 4);
  recent.keep('b', 'B', 4);
  expect(recent.get('a')).toBe('A');
  recent.keep('c', 'C', 4);
  expect(['a', 'b', 'c'].map((name) => recent.get(name))).toEqual(['A', undefined, 'C']);
  recent.keep('d', 'D', 11);
  expect(['a', 'c', 'd'].map((name) => recent.has(name))).toEqual([true, true, false]);
  recent.keep('a', 'A2', 10);
  expect(['a', 'c'].map((name) => recent.get(name))).toEqual(['A2', undefined]);
});
