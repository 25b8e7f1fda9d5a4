import { tableFromArrays } from 'apache-arrow';
import { cutoff, due, evaluate, parseGovernance } from 'lethe';
import { expect, test } from 'vitest';

const { retention } = parseGovernance({
  'retention.toml': '[tables."shop.orders"]\nkeep = "P2Y"\ncounted_from = "ordered_on"',
});
const [rule] = retention.get('shop.orders')!;

test('an order goes two years after it was placed', () => {
  expect(cutoff(rule!, '2026-10-01')).toBe('2024-10-01');
  const orders = tableFromArrays({ ordered_on: [new Date('2024-09-30'), new Date('2024-10-01')] });
  expect(evaluate(due(rule!, '2026-10-01'), orders)).toEqual([true, false]);
});
