import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAddress, shownAddress } from '../../../src/warehouse/catalogs/sql/address.ts';
import { openPostgres } from '../../../src/warehouse/catalogs/sql/postgres.ts';

describe('the address of a SQL catalog', () => {
  test.each([
    ['sqlite:catalog.db', resolve('catalog.db')],
    ['sqlite:/lake/catalog.db', '/lake/catalog.db'],
    ['sqlite:////lake/catalog.db', '/lake/catalog.db'],
    ['sqlite+aiosqlite:////lake/c.db', '/lake/c.db'],
    ['jdbc:sqlite:/lake/catalog.db', '/lake/catalog.db'],
    ['jdbc:sqlite:lake.db', resolve('lake.db')],
  ])('%s is a file', (url, path) => {
    expect(parseAddress(url)).toEqual({ kind: 'sqlite', path });
  });

  test.each([
    ['postgresql://ada:s3cret@db:5433/lake', 'postgresql://ada@db:5433/lake'],
    ['postgres://ada@db/lake?sslmode=disable', 'postgresql://ada@db/lake'],
    ['postgresql+psycopg2://ada:s3cret@db/lake', 'postgresql://ada@db/lake'],
    ['jdbc:postgresql://db:5432/lake?user=ada&password=s3cret', 'postgresql://ada@db:5432/lake'],
  ])('%s is shown without anything secret', (url, shown) => {
    const address = parseAddress(url);
    expect(address.kind === 'postgres' && shownAddress(address.url)).toBe(shown);
  });

  test('keeps the password for the driver', () => {
    const address = parseAddress('jdbc:postgresql://db/lake?user=ada&password=s%26cret');
    expect(address.kind === 'postgres' && decodeURIComponent(address.url.password)).toBe('s&cret');
  });

  test.each([
    'catalog.db',
    'mysql://u:s3cret@db/lake',
    'sqlite:',
    'sqlite::memory:',
    'sqlite:///s3cret.db',
    'sqlite://s3cret.db',
    'postgresql://',
    'postgresql://u:s3cret@/lake',
    'postgresql://u:2024/s3cret@db/lake',
    'postgresql://u:12#s3cret@db/lake',
    'postgresql://u:p@s#s3cret@db/lake',
    'postgresql://u:12?s3cret@db/lake',
    'libsql://s3cret.example',
  ])('%s is refused without being shown', (url) => {
    let fault: unknown;
    try {
      parseAddress(url);
    } catch (error) {
      fault = error;
    }
    expect(fault).toMatchObject({ kind: 'input', code: 'catalog/url' });
    expect((fault as Error).cause).toBeUndefined();
    expect(String(fault)).not.toContain('s3cret');
  });
});

test('a Postgres that is down is a typed error without the password', async () => {
  const database = await openPostgres({
    url: new URL('postgresql://ada:s3cret@127.0.0.1:1/lake'),
    timeoutMs: 5_000,
  });
  const fault = await database.rows({ parts: ['SELECT 1'], values: [] }).catch((error: unknown) => error);
  expect(fault).toMatchObject({
    kind: 'failed',
    code: 'catalog/unreachable',
    data: { error: 'ECONNREFUSED' },
  });
  expect((fault as Error).cause).toBeUndefined();
  expect(`${String(fault)} ${JSON.stringify(fault)}`).not.toContain('s3cret');
  await database.close();
});
