import { setTimeout } from 'node:timers/promises';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FailedError, type LetheError } from '../../../src/errors.ts';
import type { Database } from '../../../src/warehouse/catalogs/sql/database.ts';
import { connectionLost, sqlFailed, unreachable } from '../../../src/warehouse/catalogs/sql/failures.ts';
import { CatalogRows } from '../../../src/warehouse/catalogs/sql/rows.ts';
import { openSqlite } from '../../../src/warehouse/catalogs/sql/sqlite.ts';
import { seededRandom } from '../../support/lake.ts';
import { type SqliteFolder, sqliteFolder } from './sql-under-test.ts';

// What happens to a pointer whose connection dies, and to a database that somebody else keeps locked.

const random = seededRandom(11);
const patience = { sleep: async () => {}, random };
const identifier = { namespace: 'crm', name: 'learners' };

let folder: SqliteFolder;
let real: Database;
/** What the connection does with the next statements that change something, first to last. */
let script: ((run: () => Promise<number>) => Promise<number>)[];
let rows: CatalogRows;
let written: number;

beforeEach(async () => {
  folder = await sqliteFolder();
  real = await openSqlite({ path: folder.file, create: true, patience });
  script = [];
  written = 0;
  const database: Database = {
    ...real,
    run: (statement) => {
      written += 1;
      const next = script.shift();
      return next === undefined ? real.run(statement) : next(() => real.run(statement));
    },
  };
  rows = new CatalogRows({ database, catalog: 'default', create: true, patience });
  await rows.insert(identifier, 'v0');
  written = 0;
});
afterEach(async () => {
  await real.close();
  await folder.close();
});

const lost = (): LetheError => connectionLost('somewhere', 'ECONNRESET');
const afterwards = async (run: () => Promise<number>): Promise<number> => {
  await run();
  throw lost();
};
const before = async (): Promise<number> => {
  throw lost();
};
const pointer = async (): Promise<string | undefined> => (await rows.find('crm.learners'))?.metadataFile;
const elsewhere = (to: string) => async (): Promise<number> => {
  const [step] = [{ identifier, from: 'v0', to }];
  const other = new CatalogRows({ database: real, catalog: 'default', create: false, patience });
  await other.move(step!);
  throw lost();
};

describe('a connection that dies while a pointer moves', () => {
  test('after it moved: that is read, and nothing is written again', async () => {
    script = [afterwards];
    expect(await rows.move({ identifier, from: 'v0', to: 'v1' })).toBe('moved');
    expect(written).toBe(1);
    expect(await pointer()).toBe('v1');
  });

  test('before it moved: the same step is made again', async () => {
    script = [before];
    expect(await rows.move({ identifier, from: 'v0', to: 'v1' })).toBe('moved');
    expect(written).toBe(2);
    expect(await pointer()).toBe('v1');
  });

  test('before it moved, and the first step arrives with the second', async () => {
    let late: (() => Promise<number>) | undefined;
    script = [
      async (run) => {
        late = run;
        throw lost();
      },
      async (run) => {
        await late?.();
        return run();
      },
    ];
    expect(await rows.move({ identifier, from: 'v0', to: 'v1' })).toBe('moved');
    expect(await pointer()).toBe('v1');
  });

  test('while another writer moves it: the step may or may not have been made before', async () => {
    script = [elsewhere('theirs')];
    expect(await rows.move({ identifier, from: 'v0', to: 'v1' })).toBe('unknown');
    expect(written).toBe(1);
    expect(await pointer()).toBe('theirs');
  });

  test('and again with every try: it is unknown, after few tries', async () => {
    script = Array.from({ length: 100 }, () => before);
    expect(await rows.move({ identifier, from: 'v0', to: 'v1' })).toBe('unknown');
    expect(written).toBeLessThan(10);
  });

  test('and a database that refuses afterwards leave it unknown', async () => {
    script = [
      afterwards,
      async () => {
        throw sqlFailed('somewhere', '42501', '');
      },
    ];
    expect(['moved', 'unknown']).toContain(await rows.move({ identifier, from: 'v0', to: 'v1' }));
    expect(await pointer()).toBe('v1');
  });
});

test('a step that was never sent is an error, and the pointer stays', async () => {
  script = [
    async () => {
      throw unreachable('somewhere', 'ECONNREFUSED');
    },
  ];
  await expect(rows.move({ identifier, from: 'v0', to: 'v1' })).rejects.toMatchObject({
    code: 'catalog/unreachable',
  });
  expect(await pointer()).toBe('v0');
});

test('a table that is made while the connection dies is made once, and is known to be ours', async () => {
  const other = { namespace: 'crm', name: 'courses' };
  script = [async (run) => run(), afterwards];
  expect(await rows.insert(other, 'mine')).toBe(true);
  expect(await rows.insert(other, 'theirs')).toBe(false);
  expect((await rows.find('crm.courses'))?.metadataFile).toBe('mine');
});

describe('a database file that is locked', () => {
  test('is waited for, without holding up this process', async () => {
    const holder = new Libsql(folder.file);
    holder.exec('BEGIN IMMEDIATE');
    let ticks = 0;
    const slow = await openSqlite({
      path: folder.file,
      create: false,
      patience: {
        random,
        sleep: async (ms) => {
          ticks += 1;
          if (ticks === 5) holder.exec('COMMIT');
          await setTimeout(Math.min(ms, 2));
        },
      },
    });
    const waiting = new CatalogRows({ database: slow, catalog: 'default', create: false, patience });
    expect(await waiting.move({ identifier, from: 'v0', to: 'v1' })).toBe('moved');
    expect(ticks).toBe(5);
    holder.close();
    await slow.close();
  });

  test('for ever is a typed error, and nothing was done', async () => {
    const holder = new Libsql(folder.file);
    holder.exec('BEGIN IMMEDIATE');
    await expect(rows.move({ identifier, from: 'v0', to: 'v1' })).rejects.toMatchObject({
      kind: 'failed',
      code: 'catalog/busy',
    });
    holder.exec('COMMIT');
    holder.close();
    expect(await pointer()).toBe('v0');
  });
});

test('names and places are values, never SQL', async () => {
  const odd = { namespace: `a'; DROP TABLE iceberg_tables; --`, name: '"; %_\\' };
  expect(await rows.insert(odd, `v'0`)).toBe(true);
  expect(await rows.move({ identifier: odd, from: `v'0`, to: `v"1` })).toBe('moved');
  expect((await rows.find(`${odd.namespace}.${odd.name}`))?.metadataFile).toBe('v"1');
  expect(await rows.placedAt('%')).toEqual([]);
  await rows.delete(odd);
  expect(await pointer()).toBe('v0');
});

test('an error says a code, never the text of the database', async () => {
  const fault = await real
    .run({ parts: [`SELECT 'ada@post.example' FROM nowhere`], values: [] })
    .catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(FailedError);
  expect(fault).toMatchObject({ code: 'catalog/sql-failed' });
  expect((fault as Error).cause).toBeUndefined();
  expect(String(fault)).not.toContain('ada@post.example');
});
