import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileSql, evaluate, type Predicate } from '../../src/predicate/index.ts';
import type { Literal } from '../../src/values/literal.ts';
import {
  arrowTable,
  duckdbTable,
  type TextRow,
  TYPED_COLUMNS,
  type TypedColumn,
} from '../support/typed-rows.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connection = await instance.connect();
  // The session's zone must not matter.
  await connection.run("SET TimeZone = 'America/New_York'");
});

afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

/** Few values of each type, so that comparisons meet; the awkward ones of each. Text as DuckDB reads and prints it. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  long: ['3590', '-1', '0', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
  int: ['3590', '-1', '0', '2147483647', '-2147483648'],
  string: [
    '',
    "'; drop",
    '%',
    '_',
    '\\',
    ['$', '{env:HOME}'].join(''),
    '👩‍🎓',
    '\ufb01',
    'e\u0301',
    'é',
    'closed',
    'a"b',
    '01-10-2026',
    '30-09-2026',
    '31-02-2026',
    '01-01-2027',
  ],
  date: ['2026-10-01', '2026-09-30', '1969-12-31', '0001-01-01', '9999-12-31'],
  timestamp: ['2026-10-01 00:00:00', '2026-09-30 23:59:59.999999', '1969-12-31 23:59:59.999999'],
  timestamptz: ['2026-10-01 00:00:00+00', '2026-09-30 22:00:00+00', '2026-09-30 21:59:59.999999+00'],
  time: ['00:00:00', '23:59:59.999999', '13:45:00.000001'],
  'decimal(9, 2)': ['1.50', '-1.50', '0.00', '9999999.99'],
  double: ['1.5', '-0', '0', 'NaN', 'Infinity', '-Infinity', '1e300', '5e-324'],
  boolean: ['true', 'false'],
  uuid: ['f79c3e09-677c-4bbd-a479-3f349cb785e7', '00000000-0000-0000-0000-000000000000'],
  binary: ['', '00', 'deadbeef'],
};

const row: fc.Arbitrary<TextRow> = fc.record(
  Object.fromEntries(
    TYPED_COLUMNS.map(({ name, type }) => [name, fc.option(fc.constantFrom(...VALUES[type]!), { freq: 4 })]),
  ),
);

/** A constant that can be compared with a column. */
function literalFor({ type }: TypedColumn): fc.Arbitrary<Literal> {
  const own = fc.constantFrom(...VALUES[type]!).map((value) => asLiteral(type, value));
  const crossing = CROSSING[type];
  return crossing === undefined ? own : fc.oneof(own, fc.constantFrom(...crossing));
}

/** Constants of other types that compare with a column all the same. */
const CROSSING: Readonly<Record<string, readonly Literal[]>> = {
  long: [
    { type: 'int', value: '3590' },
    { type: 'decimal', value: '3590.00' },
    { type: 'decimal', value: '-0.5' },
  ],
  int: [{ type: 'long', value: '9007199254740993' }],
  'decimal(9, 2)': [
    { type: 'long', value: '0' },
    { type: 'decimal', value: '1.500' },
    { type: 'decimal', value: '1.499' },
  ],
  double: [{ type: 'long', value: '0' }],
  timestamp: [{ type: 'date', value: '2026-10-01' }],
  timestamptz: [{ type: 'date', value: '2026-10-01' }],
  string: [{ type: 'uuid', value: 'f79c3e09-677c-4bbd-a479-3f349cb785e7' }],
};

function asLiteral(type: string, text: string): Literal {
  switch (type) {
    case 'boolean':
      return { type, value: text === 'true' };
    case 'string':
      return { type: 'text', value: text };
    case 'decimal(9, 2)':
      return { type: 'decimal', value: text };
    case 'timestamp':
      return { type, value: text.replace(' ', 'T') };
    case 'timestamptz':
      return { type, value: text.replace(' ', 'T').replace('+00', 'Z') };
    default:
      return { type: type as 'long', value: text };
  }
}

const column = fc.constantFrom(...TYPED_COLUMNS);
const leaf: fc.Arbitrary<Predicate> = fc.oneof(
  fc.constantFrom<Predicate>({ kind: 'always' }, { kind: 'never' }),
  column.map(({ name }): Predicate => ({ kind: 'is-null', column: name })),
  column.chain((of) =>
    fc.record({
      kind: fc.constant('compare' as const),
      column: fc.constant(of.name),
      op: fc.constantFrom('=', '<>', '<', '<=', '>', '>='),
      value: literalFor(of),
    }),
  ),
  column.chain((of) =>
    fc.record({
      kind: fc.constant('in' as const),
      column: fc.constant(of.name),
      values: fc.array(literalFor(of), { maxLength: 3 }),
    }),
  ),
  fc.record({
    kind: fc.constant('before-day' as const),
    column: fc.constantFrom('born', 'at', 'instant', 'na.me'),
    day: fc.constantFrom('2026-10-01', '2026-09-30', '1970-01-01'),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
    format: fc.constant('dd-MM-yyyy'),
  }),
);

const predicate = fc.letrec<{ node: Predicate }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    tie('node').map((of): Predicate => ({ kind: 'not', of })),
    fc.array(tie('node'), { maxLength: 3 }).map((of): Predicate => ({ kind: 'and', of })),
    fc.array(tie('node'), { maxLength: 3 }).map((of): Predicate => ({ kind: 'or', of })),
  ),
})).node;

test('R8: what a predicate matches on Arrow and what DuckDB matches by its SQL are the same rows', async () => {
  let matched = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.array(predicate, { minLength: 8, maxLength: 8 }),
      async (rows, predicates) => {
        await duckdbTable(connection, rows);
        const table = arrowTable(rows);
        for (const one of predicates) {
          const sql = compileSql(one, 'duckdb', { columns: TYPED_COLUMNS });
          const result = await connection.runAndReadAll(`SELECT n FROM t WHERE ${sql} ORDER BY n`);
          const inSql = result.getRows().map(([n]) => Number(n));
          const inMemory = evaluate(one, table).flatMap((holds, n) => (holds ? [n] : []));
          expect(inMemory, sql).toEqual(inSql);
          if (inSql.length > 0 && inSql.length < rows.length) matched++;
        }
      },
    ),
    { seed: 20261001, numRuns: 150 },
  );
  // The comparison says something only where some rows match and others do not.
  expect(matched).toBeGreaterThan(200);
});
