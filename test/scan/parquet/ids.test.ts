import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FileTable, NO_TABLE } from '../../../src/scan/ids/id-search.ts';
import type { Literal } from '../../../src/values/literal.ts';
import { withDuckdb } from '../support/duckdb.ts';
import { temporaryFolder } from '../support/folder.ts';
import { id, long, scanner } from '../support/sought.ts';

const UUID = '0f8fad5b-d9cd-469f-a165-70867728950e';
const other = 'a'.repeat(8) + UUID.slice(8);

/** Column: how DuckDB writes its values, the one that is there, and one that is not. */
const COLUMNS: Readonly<Record<string, { sql: string; there: Literal; absent: Literal }>> = {
  i32: { sql: 'i::INTEGER', there: long(1500), absent: long(-1500) },
  i64: { sql: '9007199254740993 + i', there: long(9007199254742493n), absent: long(2n ** 32n + 1500n) },
  small: { sql: '(i % 100)::SMALLINT', there: long(99), absent: long(100) },
  narrow_decimal: { sql: 'i::DECIMAL(9, 2)', there: long(1500), absent: long(150000) },
  decimal: { sql: 'i::DECIMAL(18, 3)', there: long(1500), absent: long(1500000) },
  wide_decimal: { sql: 'i::DECIMAL(30, 2)', there: long(1500), absent: long(-1500) },
  floating: { sql: 'i::DOUBLE', there: long(1500), absent: long(3001) },
  texts: { sql: "concat(' 00', i)", there: long(1500), absent: long(3001) },
  uuids: {
    sql: `CASE WHEN i = 1500 THEN '${UUID}'::UUID ELSE gen_random_uuid() END`,
    there: { type: 'uuid', value: UUID },
    absent: { type: 'uuid', value: other },
  },
  uuid_texts: {
    sql: `CASE WHEN i = 1500 THEN '{${UUID.toUpperCase()}}' ELSE 'x' || i END`,
    there: { type: 'uuid', value: UUID },
    absent: { type: 'uuid', value: other },
  },
  names: {
    sql: "concat('user/', i, '''%_👩🏽‍🚀')",
    there: { type: 'text', value: "user/1500'%_👩🏽‍🚀" },
    absent: { type: 'text', value: "USER/1500'%_👩🏽‍🚀" },
  },
  born: {
    sql: "DATE '1900-01-01' + i::INTEGER",
    there: { type: 'date', value: '1904-02-09' },
    absent: { type: 'date', value: '1899-12-31' },
  },
  seen: {
    sql: "TIMESTAMP '2026-10-01 00:00:00.000001' + to_seconds(i)",
    there: { type: 'timestamp', value: '2026-10-01T00:25:00.000001' },
    absent: { type: 'timestamp', value: '2026-10-01T00:25:00' },
  },
};

const folder = temporaryFolder();
const WRITINGS = ['V1', 'V2'].flatMap((version) => ['zstd', 'snappy'].map((codec) => ({ version, codec })));
const file = ({ version, codec }: { version: string; codec: string }): string =>
  join(folder, `${version}-${codec}.parquet`);

beforeAll(async () => {
  await withDuckdb(async (run) => {
    const columns = Object.entries(COLUMNS).map(
      ([name, { sql }]) => `CASE WHEN i % 7 = 3 THEN NULL ELSE ${sql} END AS ${name}`,
    );
    const nested = `{'who': {'id': i + 50000}} AS deep, [i + 60000, NULL] AS many, MAP {i + 70000: 'v'} AS pairs`;
    for (const writing of WRITINGS) {
      await run(
        `COPY (SELECT ${columns.join(', ')}, ${nested}, i // 100 AS part_a, i % 100 AS part_b FROM range(3000) r(i))
         TO '${file(writing)}' (FORMAT parquet, COMPRESSION ${writing.codec}, PARQUET_VERSION ${writing.version}, ROW_GROUP_SIZE 2048)`,
      );
    }
    await run(
      `COPY (SELECT i AS old_name FROM range(10) r(i)) TO '${join(folder, 'renamed.parquet')}' (FORMAT parquet, FIELD_IDS {old_name: 17})`,
    );
  });
});

describe('ids in Parquet columns', () => {
  test.each(WRITINGS)(
    'S2: a typed id is found in its column and only where it is ($version, $codec)',
    async (writing) => {
      for (const [column, { there, absent }] of Object.entries(COLUMNS)) {
        const found = (await scanner({ ids: [id(column, there)] }))(file(writing));
        expect(found.unread, column).toEqual([]);
        expect(
          found.matches.map(({ kind, where }) => `${kind} ${where}`),
          column,
        ).toContain(`data column ${column}`);
        const none = (await scanner({ ids: [id(column, absent)] }))(file(writing));
        expect(none, column).toMatchObject({ matches: [], unread: [] });
      }
    },
  );

  test('S2: in structs, lists and maps, by their full names', async () => {
    const sought = { 'deep.who.id': 51500, 'many.element': 61500, 'pairs.key': 71500 };
    for (const [column, value] of Object.entries(sought)) {
      for (const writing of WRITINGS) {
        const { matches } = (await scanner({ ids: [id(column, long(value))] }))(file(writing));
        expect(matches, column).toEqual([{ kind: 'data', where: `column ${column}`, shared: false }]);
      }
    }
  });

  test('S2: all parts of a composite id must stand in one row', async () => {
    const both = (a: number, b: number) => ({
      ...id('part_a', long(0)),
      columns: ['part_a', 'part_b'],
      values: [[long(a), long(b)]],
    });
    for (const writing of WRITINGS) {
      expect((await scanner({ ids: [both(15, 42)] }))(file(writing)).matches).toEqual([
        { kind: 'data', where: 'columns part_a, part_b', shared: false },
      ]);
      expect((await scanner({ ids: [both(42, 15)] }))(file(writing)).matches).toEqual([]);
    }
  });

  test('S2: a column that was renamed is known by its field id', async () => {
    const table: FileTable = { ...NO_TABLE, table: 'crm.learners', namesById: new Map([[17, 'learner_id']]) };
    const scan = await scanner({ ids: [id('LEARNER_ID', long(7))] });
    expect(scan(join(folder, 'renamed.parquet'), table).matches).toHaveLength(1);
    expect(scan(join(folder, 'renamed.parquet')).matches).toEqual([]);
  });

  test('S2: in a table that keeps the rows ids are expected, and beside it they are not', async () => {
    const scan = await scanner({ ids: [id('i32', long(1500), { expectedIn: ['billing.payments'] })] });
    const [writing] = WRITINGS;
    expect(scan(file(writing!), { ...NO_TABLE, table: 'billing.payments' }).matches).toEqual([]);
    expect(scan(file(writing!), { ...NO_TABLE, table: 'billing.copies' }).matches).toHaveLength(1);
    expect(scan(file(writing!)).matches).toHaveLength(1);
  });

  test('S2: ids of one table are sought in its files, and in a stray copy that no table claims', async () => {
    const scan = await scanner({ ids: [id('i32', long(1500), { table: 'ai.corpus' })] });
    const [writing] = WRITINGS;
    const stray = (columns: readonly string[]): FileTable => ({
      ...NO_TABLE,
      others: new Map([['ai.corpus', columns]]),
    });
    expect(scan(file(writing!), { ...NO_TABLE, table: 'ai.corpus' }).matches).toHaveLength(1);
    expect(scan(file(writing!), { ...NO_TABLE, table: 'other' }).matches).toEqual([]);
    expect(scan(file(writing!), stray(['i32', 'i64', 'gone'])).matches).toHaveLength(1);
    expect(scan(file(writing!), stray(['i32', 'x', 'y'])).matches).toEqual([]);
  });

  test('S3: a typed value that others have too is shared', async () => {
    const born = COLUMNS.born!.there;
    const { matches } = (await scanner({ ids: [id('born', born, { shared: true })] }))(file(WRITINGS[0]!));
    expect(matches).toEqual([{ kind: 'data', where: 'column born', shared: true }]);
  });
});
