import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  and,
  beforeDay,
  columnsOf,
  compare,
  compileSql,
  type Dialect,
  equals,
  isNull,
  not,
  oneOf,
  or,
  quoteName,
  quotePath,
  quoteText,
} from '../../src/predicate/index.ts';
import type { Literal } from '../../src/values/literal.ts';

const DIALECTS: readonly Dialect[] = ['duckdb', 'spark', 'trino', 'databricks', 'postgres'];
const code = (value: string) => expect.objectContaining({ code: value, kind: 'input' });
/** Assembled so that it is plain text here too. */
const SUBSTITUTION = ['$', '{env:HOME}'].join('');
const HOSTILE = [
  "'; drop table t; --",
  '%',
  '_',
  '\\',
  "\\'",
  '"',
  '`',
  SUBSTITUTION,
  '👩‍🎓',
  'e\u0301',
  '\n\t',
  '/* */',
  '\u2028',
  'a.b',
  '',
];

let instance: DuckDBInstance;
let duckdb: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  duckdb = await instance.connect();
});

afterAll(() => {
  duckdb.closeSync();
  instance.closeSync();
});

describe('the chapter’s ticket rule in every dialect', () => {
  const predicate = and(
    beforeDay('opened_at', { day: '2024-10-01', timeZone: 'UTC' }),
    equals('status', { type: 'text', value: 'closed' }),
  );
  const columns = [
    { name: 'opened_at', path: ['opened_at'], type: 'timestamptz' },
    { name: 'status', path: ['status'], type: 'string' },
  ];

  test.each([
    ['duckdb', `("opened_at" < TIMESTAMPTZ '2024-10-01 00:00:00.000000+00') AND ("status" = 'closed')`],
    [
      'postgres',
      `("opened_at" < TIMESTAMPTZ '2024-10-01 00:00:00.000000+00') AND ("status" COLLATE "C" = 'closed')`,
    ],
    ['trino', `("opened_at" < TIMESTAMP '2024-10-01 00:00:00.000000 UTC') AND ("status" = 'closed')`],
    ['spark', "(`opened_at` < TIMESTAMP_LTZ '2024-10-01 00:00:00.000000Z') AND (`status` = 'closed')"],
    ['databricks', "(`opened_at` < TIMESTAMP_LTZ '2024-10-01 00:00:00.000000Z') AND (`status` = 'closed')"],
  ] as const)('%s', (dialect, sql) => {
    expect(compileSql(predicate, dialect, { columns })).toBe(sql);
  });
});

describe('values', () => {
  test('every hostile text is read back by DuckDB as it was, NUL too', async () => {
    for (const value of [...HOSTILE, 'a\0b', '\0']) {
      const result = await duckdb.runAndReadAll(`SELECT ${quoteText('duckdb', value)} = $1`, [value]);
      expect(result.getRows(), JSON.stringify(value)).toEqual([[true]]);
    }
  });

  test('hazard 43: nothing that Spark would replace or unescape is left in its literals', () => {
    for (const dialect of ['spark', 'databricks'] as const) {
      for (const value of HOSTILE) expect(quoteText(dialect, value)).not.toMatch(/[\\$\n]|'.*'.*'.*'/);
      expect(quoteText(dialect, SUBSTITUTION)).toBe(
        `CAST(X'${Buffer.from(SUBSTITUTION).toString('hex')}' AS STRING)`,
      );
      expect(quoteText(dialect, "O'Neil")).toBe("CAST(X'4f274e65696c' AS STRING)");
      expect(quoteText(dialect, 'Ünï')).toBe("'Ünï'");
    }
  });

  test('a backslash is itself in Postgres, whatever its settings', () => {
    expect(quoteText('postgres', "\\'")).toBe("E'\\\\'''");
    expect(quoteText('postgres', "it's")).toBe("'it''s'");
    expect(quoteText('trino', "\\'")).toBe("'\\'''");
  });

  test('a text that a dialect cannot hold is refused without being shown', () => {
    expect(() => quoteText('postgres', 'secret\0')).toThrowError(code('predicate/unsafe-text'));
    expect(() => quoteText('postgres', 'secret\0')).toThrowError(expect.not.stringContaining('secret'));
    for (const dialect of DIALECTS)
      expect(() => quoteText(dialect, '\ud800')).toThrowError(code('predicate/unsafe-text'));
  });

  test('no literal carries SQL: each is checked against its type', () => {
    const hostile = "1 OR 1=1 --' ";
    const types = [
      'int',
      'long',
      'float',
      'double',
      'decimal',
      'date',
      'time',
      'timestamp',
      'timestamptz',
      'uuid',
      'binary',
    ] as const;
    for (const dialect of DIALECTS) {
      for (const type of types) {
        expect(() => compileSql(equals('x', { type, value: hostile }), dialect)).toThrowError(
          code('predicate/literal'),
        );
      }
    }
  });

  test('what a dialect cannot say is refused by name', () => {
    const nanos: Literal = { type: 'timestamp', value: '2026-10-01T00:00:00.000000001' };
    expect(() => compileSql(equals('t', { type: 'time', value: '00:00:00' }), 'spark')).toThrowError(
      code('predicate/unsupported'),
    );
    expect(() => compileSql(equals('t', nanos), 'postgres')).toThrowError(code('predicate/unsupported'));
    expect(compileSql(equals('t', nanos), 'trino')).toBe(`"t" = TIMESTAMP '2026-10-01 00:00:00.000000001'`);
  });

  test('ids are written with all their digits', () => {
    const ids = ['9007199254740993', '-9223372036854775808'].map(
      (value): Literal => ({ type: 'long', value }),
    );
    for (const dialect of DIALECTS) {
      expect(compileSql(oneOf('id', ids), dialect)).toMatch(/IN \(9007199254740993, -9223372036854775808\)$/);
    }
  });

  test('Trino is told that NaN is greater than every number', () => {
    const over: Literal = { type: 'double', value: '1.5' };
    expect(compileSql(compare('x', '>', over), 'trino')).toBe(`("x" > CAST('1.5' AS DOUBLE) OR is_nan("x"))`);
    expect(compileSql(equals('x', { type: 'double', value: 'NaN' }), 'trino')).toBe('is_nan("x")');
  });
});

describe('names', () => {
  test('hostile names are one name in every dialect', async () => {
    for (const name of HOSTILE.filter((value) => value !== '')) {
      await duckdb.run(`CREATE OR REPLACE TEMP TABLE hostile AS SELECT 1 AS ${quoteName('duckdb', name)}`);
      const result = await duckdb.runAndReadAll(
        `SELECT count(*)::INTEGER FROM hostile WHERE ${compileSql(equals(name, { type: 'int', value: '1' }), 'duckdb')}`,
      );
      expect(result.getRows()).toEqual([[1]]);
    }
    expect(quoteName('trino', 'a"b')).toBe('"a""b"');
    expect(quoteName('spark', 'a`b')).toBe('`a``b`');
    expect(quotePath('postgres', ['crm', 'my.table'])).toBe('"crm"."my.table"');
  });

  test('a name that the dialect would change is refused', () => {
    expect(() => quoteName('spark', SUBSTITUTION)).toThrowError(code('predicate/unsafe-name'));
    expect(() => quoteName('postgres', 'x'.repeat(64))).toThrowError(code('predicate/unsafe-name'));
    for (const dialect of DIALECTS) {
      expect(() => quoteName(dialect, '')).toThrowError(code('predicate/unsafe-name'));
      expect(() => quoteName(dialect, 'a\0b')).toThrowError(code('predicate/unsafe-name'));
    }
  });

  test('a nested column is found by its path; without columns a dot is part of the name', async () => {
    const columns = [{ name: 'person.na.me', path: ['person', 'na.me'], type: 'string' }];
    const predicate = equals('person.na.me', { type: 'text', value: 'x' });
    expect(compileSql(predicate, 'trino', { columns })).toBe(`"person"."na.me" = 'x'`);
    expect(compileSql(predicate, 'spark', { columns })).toBe("`person`.`na.me` = 'x'");
    expect(compileSql(predicate, 'postgres', { columns })).toBe(`("person")."na.me" COLLATE "C" = 'x'`);
    expect(compileSql(predicate, 'trino')).toBe(`"person.na.me" = 'x'`);
    // A table of the column's own name must not come in between.
    await duckdb.run(
      `CREATE OR REPLACE TEMP TABLE person AS SELECT {'na.me': 'x'} AS person UNION ALL SELECT NULL`,
    );
    const count = async (where: string) =>
      (await duckdb.runAndReadAll(`SELECT count(*)::INTEGER FROM person WHERE ${where}`)).getRows()[0]![0];
    expect(await count(compileSql(predicate, 'duckdb', { columns }))).toBe(1);
    expect(await count(compileSql(isNull('person.na.me'), 'duckdb', { columns }))).toBe(1);
  });

  test('with columns, unknown names and types that do not meet are errors', () => {
    const columns = [{ name: 'id', path: ['id'], type: 'string' }];
    expect(() => compileSql(equals('idd', { type: 'text', value: 'x' }), 'duckdb', { columns })).toThrowError(
      code('predicate/no-column'),
    );
    expect(() => compileSql(equals('id', { type: 'long', value: '1' }), 'duckdb', { columns })).toThrowError(
      code('predicate/type-mismatch'),
    );
  });

  test('columnsOf names each column once, sorted', () => {
    const one: Literal = { type: 'long', value: '1' };
    expect(
      columnsOf(
        or(
          equals('b', one),
          not(oneOf('a', [one])),
          isNull('b'),
          beforeDay('c', { day: '2026-10-01', timeZone: 'UTC' }),
        ),
      ),
    ).toEqual(['a', 'b', 'c']);
  });
});

describe('days', () => {
  test('a zone needs the column’s type', () => {
    const predicate = beforeDay('at', { day: '2026-10-01', timeZone: 'Europe/Berlin' });
    expect(() => compileSql(predicate, 'duckdb')).toThrowError(code('predicate/type-needed'));
    const at = (type: string) =>
      compileSql(predicate, 'duckdb', { columns: [{ name: 'at', path: ['at'], type }] });
    expect(at('timestamptz')).toBe(`"at" < TIMESTAMPTZ '2026-09-30 22:00:00.000000+00'`);
    expect(at('timestamp')).toBe(`"at" < TIMESTAMP '2026-10-01 00:00:00.000000'`);
    expect(at('date')).toBe(`"at" < DATE '2026-10-01'`);
    expect(() => at('string')).toThrowError(code('predicate/format-needed'));
    expect(() => at('long')).toThrowError(code('predicate/type-mismatch'));
  });

  test('hazard 28: text is checked and put in order, never compared as it stands', () => {
    for (const dialect of DIALECTS) {
      const sql = compileSql(
        beforeDay('on', { day: '2026-10-01', timeZone: 'UTC', format: 'dd-MM-yyyy' }),
        dialect,
      );
      expect(sql).toContain('20261001');
      expect(sql).toMatch(
        /^CASE WHEN length\(.+ THEN concat\(substr\(.+, 7, 4\), substr\(.+, 4, 2\), substr\(.+, 1, 2\)\).* END$/,
      );
    }
  });
});
