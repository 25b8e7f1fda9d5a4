import { expect, test } from 'vitest';
import { FailedError } from '../src/errors.ts';

test.each([
  [
    '/lake/crm/data/email=ada%40post.ex/learner_id=3590/a.parquet',
    '/lake/crm/data/email=***/learner_id=***/a.parquet',
  ],
  ['/lake/data/a=b.parquet', '/lake/data/a=b.parquet'],
  ['catalog = { path = "lake/wh" }', 'catalog = { path = "lake/wh" }'],
])('E3: an error names a partition by its column, never by its value: %s', (path, shown) => {
  const error = new FailedError('storage/not-found', `${path} is not there`, {
    remedy: `Restore ${path}`,
    data: { path, nested: [{ path }], id: 5n },
  });
  expect(error.message).toBe(`${shown} is not there. Restore ${shown}`);
  expect(error.reason).toBe(`${shown} is not there`);
  expect(error.remedy).toBe(`Restore ${shown}`);
  expect(error.data).toEqual({ path: shown, nested: [{ path: shown }], id: 5n });
});
