import { expect, test } from 'vitest';
import { FailedError, RefusedError } from '../../src/errors.ts';
import { type RowReader, readableTables } from '../../src/warehouse/readable-tables.ts';
import type { TableDescription } from '../../src/warehouse/warehouse.ts';

const unreadable = new RefusedError('warehouse/unreadable', 't has orc files', { remedy: 'Rewrite them' });
const broken = new FailedError('storage/not-found', 'f is not there', { remedy: 'Restore it' });

/** Every reading of rows ends in an error. */
function failing(error: Error): RowReader {
  const rows = async function* (): AsyncGenerator<never> {
    yield await Promise.reject(error);
  };
  return {
    list: async () => ['t'],
    describe: () => Promise.reject(error),
    count: () => Promise.reject(error),
    distinct: rows,
    read: rows,
  };
}

async function all<T>(rows: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

test('a table that the data plane does not read has no rows, and is named', async () => {
  const reading = readableTables(failing(unreadable));
  expect(reading.unreadable.size).toBe(0);
  expect(await reading.count('t')).toBe(0);
  expect(await all(reading.distinct('u', ['id']))).toEqual([]);
  expect(await all(reading.read('v'))).toEqual([]);
  expect([...reading.unreadable]).toEqual([
    ['t', unreadable],
    ['u', unreadable],
    ['v', unreadable],
  ]);
});

test('every other error stays one', async () => {
  const reading = readableTables(failing(broken));
  await expect(reading.count('t')).rejects.toBe(broken);
  await expect(all(reading.distinct('t', ['id']))).rejects.toBe(broken);
  await expect(all(reading.read('t'))).rejects.toBe(broken);
  await expect(readableTables(failing(unreadable)).describe('t')).rejects.toBe(unreadable);
});

test('tables are listed and described once, however often they are asked for', async () => {
  const asked: string[] = [];
  const described = { table: 't' } as TableDescription;
  const reading = readableTables({
    ...failing(broken),
    list: async () => {
      asked.push('list');
      return ['t'];
    },
    describe: async (table) => {
      asked.push(table);
      return described;
    },
  });
  expect(await Promise.all([reading.list(), reading.list()])).toEqual([['t'], ['t']]);
  expect([await reading.describe('t'), await reading.describe('t')]).toEqual([described, described]);
  expect(asked).toEqual(['list', 't']);
});
