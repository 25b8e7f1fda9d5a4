import { expect, test } from 'vitest';
import { shortPath } from '../../../src/cli/output/short-path.ts';

test.each([
  ['/lake/wh', '/lake/wh/crm/learners/data/1.parquet', 'crm/learners/data/1.parquet'],
  ['/lake/wh', '/lake/wh', '.'],
  ['/lake/wh', '/lake/wh-old/1.parquet', '/lake/wh-old/1.parquet'],
  [null, '/lake/wh/1.parquet', '/lake/wh/1.parquet'],
])('from %s on, %s is %s', (folder, path, shown) => {
  expect(shortPath(folder)(path)).toBe(shown);
});
