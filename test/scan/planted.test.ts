import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import avsc from 'avsc';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FileRunner, openFileRunner } from '../../src/scan/file-runner.ts';
import type { FileRole, Match } from '../../src/scan/file-scan.ts';
import { type FileTable, NO_TABLE } from '../../src/scan/ids/id-search.ts';
import { sqlText, withDuckdb } from './support/duckdb.ts';
import { id, long, text } from './support/sought.ts';

/** Files that other writers made (see the README beside them), each with a twin in which nobody was planted. */
const planted = fileURLToPath(new URL('../fixtures/data-files/planted/', import.meta.url));
const BORN = '2024-02-29T12:34:56.789012';
const SOUGHT = {
  texts: [text('zofia.haase@exa')],
  ids: [id('learner_id', long(3590)), id('born_at', { type: 'timestamp', value: BORN })],
  hashes: [],
};
const table: FileTable = {
  ...NO_TABLE,
  table: 'crm.learners',
  namesById: new Map([
    [1, 'learner_id'],
    [2, 'email'],
  ]),
  partitionColumns: ['email', 'learner_id'],
};

let run: FileRunner;
beforeAll(async () => {
  run = await openFileRunner(SOUGHT);
});

function scanned(name: string, role: FileRole | null = null): readonly Match[] {
  const { matches, unread } = run({ path: join(planted, name), name: basename(name), table, role });
  expect(unread, name).toEqual([]);
  return matches;
}

const placesOf = (matches: readonly Match[]): readonly string[] =>
  matches.map(({ kind, where }) => `${kind}: ${where}`);

describe('S4: a person whom another writer planted is found, and the twin without is clean', () => {
  test.each<[string, readonly string[], FileRole?]>([
    ['data-page.parquet', ['data: column learner_id', 'data: column email']],
    ['data-page-v2.parquet', ['data: column learner_id', 'data: column email']],
    ['delta.parquet', ['data: column learner_id', 'data: column email']],
    ['byte-stream-split.parquet', ['data: column learner_id', 'data: column email']],
    ['dictionary-page.parquet', ['data: column learner_id', 'data: column email']],
    ['duckdb.parquet', ['data: column learner_id', 'data: column email']],
    ['bloom-filter.parquet', ['data: column learner_id', 'data: column email']],
    ['int96.parquet', ['data: column born_at']],
    [
      'page-index.parquet',
      ['footer: page index of column learner_id', 'footer: indexes and unclaimed bytes'],
    ],
    ['footer-statistics.parquet', ['footer: statistics of column learner_id', 'footer: footer']],
    ['key-value-metadata.parquet', ['footer: footer']],
    ['equality-delete.parquet', ['delete-file: column learner_id'], 'delete-file'],
    ['position-delete.parquet', ['delete-file: column file_path']],
    ['sketch.puffin', ['statistics: a theta sketch']],
    ['sketch-zstd.puffin', ['statistics: a theta sketch']],
    ['sketch-lz4.puffin', ['statistics: a theta sketch']],
    ['sketch-v4.puffin', ['statistics: a theta sketch']],
    ['rows.csv', ['other: bytes', 'other: a value of learner_id']],
    ['rows.csv.gz', ['other: bytes', 'other: a value of learner_id']],
    ['rows.csv.zst', ['other: bytes', 'other: a value of learner_id']],
    ['rows-stream.csv.zst', ['other: bytes', 'other: a value of learner_id']],
    ['rows.csv.lz4', ['other: bytes', 'other: a value of learner_id']],
    ['rows.json', ['other: bytes', 'other: a value of learner_id']],
  ])('%s', (name, places, role) => {
    expect(placesOf(scanned(name, role))).toEqual(expect.arrayContaining([...places]));
    expect(scanned(`clean-${name}`, role)).toEqual([]);
  });

  test('every file that was made is asked for', () => {
    const made = readdirSync(planted).filter((name) => name.includes('.') && !name.startsWith('clean-'));
    expect(made).toHaveLength(23);
  });

  test.each([
    [
      /-m0\.avro$/,
      [
        'bound: lower bound of learner_id in an added entry',
        'bound: upper bound of email in an added entry',
        'partition: partition by email of an added entry',
        'partition: partition by learner_id of an added entry',
        'path: path in an added entry',
      ],
    ],
    [/snap-.*\.avro$/, ['partition: partitions.element.upper_bound']],
    [/00002-.*\.metadata\.json$/, ['metadata: properties']],
    [/data.*\.parquet$/, ['data: column learner_id', 'data: column email']],
  ])('in a table of PyIceberg: %s', (name, places) => {
    const all = filesOf('planted-table').filter((file) => name.test(file));
    const found = new Set(all.flatMap((file) => placesOf(scanned(file))));
    expect(all.length).toBeGreaterThan(0);
    expect([...found]).toEqual(expect.arrayContaining(places));
  });

  test('a table of PyIceberg without the person is clean', () => {
    for (const file of filesOf('clean-table')) expect(scanned(file), file).toEqual([]);
  });
});

function filesOf(folder: string): readonly string[] {
  const all = readdirSync(join(planted, folder), { recursive: true, encoding: 'utf8' });
  return all.filter((name) => /\.(avro|json|parquet)$/.test(name)).map((name) => join(folder, name));
}

describe('a second, slow reader confirms every hit and every miss', () => {
  test('DuckDB, avsc and the bytes themselves', async () => {
    // DuckDB reads integers of this encoding not at all: what is in the file is only known from what made it.
    const known = readdirSync(planted).filter((name) => !name.includes('byte-stream-split'));
    const names = known.filter((name) => /\.(parquet|csv|gz|zst|json)$/.test(name));
    const files = [...names, ...filesOf('planted-table'), ...filesOf('clean-table')];
    const disagree = await withDuckdb(async (query) => {
      const different: string[] = [];
      for (const name of files) {
        const slow = await holdsSlowly(join(planted, name), query);
        const role = name.endsWith('equality-delete.parquet') ? 'delete-file' : null;
        if (slow !== scanned(name, role).length > 0) different.push(name);
      }
      return different;
    });
    expect(files.length).toBeGreaterThan(50);
    expect(disagree).toEqual([]);
  });
});

const EMAIL = 'zofia.haase@example.org';

/** Whether a file holds the person, by other libraries' readers: every value as text, one by one. */
async function holdsSlowly(path: string, query: (sql: string) => Promise<unknown[][]>): Promise<boolean> {
  if (path.endsWith('.avro')) return (await avroRecords(path)).some(isPerson);
  if (path.endsWith('.json')) return isPerson(readFileSync(path, 'utf8'));
  const file = sqlText(path);
  const tables = path.endsWith('.parquet')
    ? [
        `read_parquet(${file}, hive_partitioning = false)`,
        `(SELECT stats_min, stats_max, stats_min_value, stats_max_value FROM parquet_metadata(${file}))`,
        `(SELECT decode(value) FROM parquet_kv_metadata(${file}))`,
      ]
    : [`read_csv(${file}, header = true)`];
  for (const from of tables) {
    const rows = await query(`SELECT * FROM ${from}`);
    if (rows.flat().some(isPerson)) return true;
  }
  return false;
}

function isPerson(value: unknown): boolean {
  const shown =
    typeof value === 'string'
      ? value
      : JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
  return (
    shown.includes(EMAIL.slice(0, 15)) ||
    /(^|[^\d])3590([^\d]|$)/.test(shown) ||
    shown.includes(BORN.replace('T', ' '))
  );
}

/** Longs without loss, which the library leaves to its callers. */
const LONG = avsc.types.LongType.__with({
  fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(value);
    return bytes;
  },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0),
});

/** Decoded records; bounds are bytes, of which every reading is listed. */
function avroRecords(path: string): Promise<readonly string[]> {
  const records: string[] = [];
  return new Promise((resolve, reject) => {
    avsc
      .createFileDecoder(path, {
        parseHook: (schema) => avsc.Type.forSchema(schema, { registry: { long: LONG } }),
      })
      .on('data', (record: unknown) => {
        records.push(
          JSON.stringify(record, (_, value: unknown) => {
            const bytes = (value as { readonly type?: string; readonly data?: number[] } | null)?.data;
            if (!Array.isArray(bytes)) return typeof value === 'bigint' ? String(value) : value;
            const buffer = Buffer.from(bytes);
            return [buffer.toString('utf8'), buffer.length === 8 ? String(buffer.readBigInt64LE()) : ''];
          }),
        );
      })
      .on('end', () => resolve(records))
      .on('error', reject);
  });
}
