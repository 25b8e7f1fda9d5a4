import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { fold } from '../../../src/scan/text/fold.ts';
import { sqlText, withDuckdb } from '../support/duckdb.ts';
import { temporaryFolder } from '../support/folder.ts';
import { scanner, text } from '../support/sought.ts';

/** What is planted in one row of thousands, and the trace that must find it. */
const PLANTED = {
  inside: ['see 9007919.HUGO.LI there', '9007919.hugo.li'],
  exact: ['9007919.hugo.li', '9007919.hugo.li'],
  mixed: ['Zoë Ñandú 9007919.Hugo.li ü', '9007919.hugo.li'],
  accents: ['von JOSÉ MÜLLER-lüdenscheid', 'josé müller-l'],
  decomposed: ['von Jose\u0301 Mu\u0308ller-lu\u0308denscheid', 'josé müller-l'],
  kelvin: ['e \u212Aaz Sto\u017Fs x', 'kaz stoss'],
  sharp: ['an der HAUPTSTRASSE 12', 'hauptstraße 12'],
  sigma: ['ΟΔΟΣΑΒ', 'οδοσ'],
  cjk: ['山田太郎さん', '山田太郎'],
  emoji: ['crew 👩🏽‍🚀 of one', '👩🏽‍🚀 of'],
  pattern: ["100%_sure'; drop", "%_sure'; d"],
} as const;
const TRACES = Object.values(PLANTED).map(([, trace]) => text(fold(trace)));

const CODECS = ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4', 'lz4_raw'];
const VERSIONS = ['V1', 'V2'];
/** Few different values make dictionaries, many make plain or delta pages. */
const DIFFERENT = [10, 4000];

const SHAPES: Readonly<Record<string, (value: string) => string>> = {
  text: (value) => value,
  list: (value) => `CASE WHEN i % 3 = 0 THEN NULL ELSE [${value}, 'k', NULL] END`,
  struct: (value) => `CASE WHEN i % 5 = 0 THEN NULL ELSE {'a': {'b': ${value}}} END`,
  map: (value) => `MAP {'key': ${value}, 'other': 'v'}`,
  key: (value) => `MAP {coalesce(${value}, 'z'): 'v'}`,
  binary: (value) => `encode(${value})`,
  json: (value) => `json_object('a', ${value})::VARCHAR`,
};

/** Rows with words that share pieces with the traces; row 1501 (divided by neither 3 nor 5) holds what is planted. */
function rows(shape: string, planted: string | null, different: number): string {
  const words = `CASE WHEN i % 11 = 0 THEN NULL ELSE concat('lorem naïve straße 9007919 hugo Zoë ', (i * 7919) % ${different}) END`;
  const value = planted === null ? words : `CASE WHEN i = 1501 THEN ${sqlText(planted)} ELSE ${words} END`;
  return `SELECT i, ${SHAPES[shape]!(value)} AS t FROM range(3000) r(i)`;
}

interface Case {
  readonly name: string;
  readonly planted: boolean;
}

const folder = temporaryFolder();
const cases: Case[] = [];

beforeAll(async () => {
  await withDuckdb(async (run) => {
    const write = async (name: string, sql: string, options: string): Promise<void> => {
      await run(`COPY (${sql}) TO '${join(folder, `${name}.parquet`)}' (FORMAT parquet, ${options})`);
    };
    for (const codec of CODECS) {
      for (const version of VERSIONS) {
        const options = `COMPRESSION ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048`;
        for (const different of DIFFERENT) {
          const base = `${codec}-${version}-${different}`;
          await write(`${base}-none`, rows('text', null, different), options);
          cases.push({ name: `${base}-none`, planted: false });
          for (const [kind, [value]] of Object.entries(PLANTED)) {
            await write(`${base}-${kind}`, rows('text', value, different), options);
            cases.push({ name: `${base}-${kind}`, planted: true });
          }
        }
      }
    }
    for (const shape of Object.keys(SHAPES)) {
      for (const version of VERSIONS) {
        const options = `COMPRESSION zstd, PARQUET_VERSION ${version}`;
        for (const [kind, value] of [
          ['none', null],
          ['inside', PLANTED.inside[0]],
          ['accents', PLANTED.accents[0]],
        ] as const) {
          const name = `${shape}-${version}-${kind}`;
          await write(name, rows(shape, value, 4000), options);
          cases.push({ name, planted: value !== null });
        }
      }
    }
    await write('long-none', `SELECT repeat('lorem é ', 40000) AS t`, 'COMPRESSION zstd');
    await write(
      'long-inside',
      `SELECT repeat('lorem é ', 40000) || '9007919.Hugo.li end' AS t`,
      'COMPRESSION zstd',
    );
    cases.push({ name: 'long-none', planted: false }, { name: 'long-inside', planted: true });
  });
});

describe('a planted value in a Parquet file', () => {
  test('S4: is found in every codec, version, encoding and nesting, and its twin without it is clean', async () => {
    const scan = await scanner({ texts: TRACES });
    const wrong = cases.filter(({ name, planted }) => {
      const { matches, unread } = scan(join(folder, `${name}.parquet`));
      return matches.some(({ kind }) => kind === 'data') !== planted || unread.length > 0;
    });
    expect(cases.length).toBeGreaterThan(350);
    expect(wrong).toEqual([]);
  });

  test('the place is named by its column, without the value', async () => {
    const scan = await scanner({ texts: TRACES });
    const { matches } = scan(join(folder, 'struct-V1-inside.parquet'));
    expect(matches).toContainEqual({ kind: 'data', where: 'column t.a.b', shared: false });
  });
});
