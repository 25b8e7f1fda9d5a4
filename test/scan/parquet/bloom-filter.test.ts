import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetMetadata } from 'hyparquet/src/metadata.js';
import { describe, expect, test } from 'vitest';
import { BloomFilter } from '../../../src/scan/parquet/bloom-filter.ts';
import { xxhash64 } from '../../../src/scan/sketch/xxhash64.ts';
import { openLocalFile } from '../../../src/storage/local-reader.ts';
import { sqlText, withDuckdb } from '../support/duckdb.ts';
import { temporaryFolder } from '../support/folder.ts';
import { single } from '../support/iceberg-avro.ts';
import { id, long, scanner } from '../support/sought.ts';

const folder = temporaryFolder();
const planted = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/data-files/planted/${name}`, import.meta.url));

/** Where the filter of the first column lies, header and all. */
function filterOf(bytes: Uint8Array): { readonly from: number; readonly to: number } {
  const { meta_data: data } = parquetMetadata(bytes).row_groups[0]!.columns[0]!;
  const from = Number(data!.bloom_filter_offset);
  return { from, to: from + Number(data!.bloom_filter_length) };
}

describe('XXH64', () => {
  test.each([
    ['', 0xef46db3751d8e999n],
    ['a', 0xd24ec4f1a98c6e5bn],
    ['abc', 0x44bc2cf5ad770999n],
    ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
  ])('the published value of "%s"', (value, hash) => {
    expect(xxhash64(new TextEncoder().encode(value))).toBe(hash);
  });
});

describe('a Bloom filter', () => {
  test('says of every number what DuckDB says of it', async () => {
    const path = planted('bloom-filter.parquet');
    const { from } = filterOf(readFileSync(path));
    const source = openLocalFile(path);
    const filter = new BloomFilter(source, from);
    const own: boolean[] = [];
    const numbers = Array.from({ length: 400 }, (_, n) => n * 7);
    for (const number of numbers) own.push(filter.mayHold(single.long(BigInt(number))));
    source.close();
    const peer = await withDuckdb(async (run) => {
      const said: boolean[] = [];
      for (const number of numbers) {
        const [row] = await run(
          `SELECT bloom_filter_excludes FROM parquet_bloom_probe(${sqlText(path)}, 'learner_id', ${number}::BIGINT)`,
        );
        said.push(row![0] === false);
      }
      return said;
    });
    expect(own).toEqual(peer);
    expect(own.filter((may) => !may).length).toBeGreaterThan(100);
  });

  test('S5: one that remembers an id which no page holds is not proven', async () => {
    const [clean, with3590] = [
      readFileSync(planted('clean-bloom-filter.parquet')),
      readFileSync(planted('bloom-filter.parquet')),
    ];
    const [into, out] = [filterOf(clean), filterOf(with3590)];
    expect(into.to - into.from).toBe(out.to - out.from);
    clean.set(with3590.subarray(out.from, out.to), into.from);
    const path = join(folder, 'remembers.parquet');
    writeFileSync(path, clean);
    const scan = await scanner({ ids: [id('learner_id', long(3590))] });
    expect(scan(path)).toMatchObject({
      matches: [],
      unread: [
        'Bloom filter of column learner_id: it remembers a value that is sought and that no page holds',
      ],
    });
  });

  test('one that says yes because of other values is no trace', async () => {
    const path = planted('bloom-filter.parquet');
    const { from } = filterOf(readFileSync(path));
    const source = openLocalFile(path);
    const filter = new BloomFilter(source, from);
    const absent = Array.from({ length: 20_000 }, (_, n) => 1_000_000 + n);
    const lucky = absent.filter((number) => filter.mayHold(single.long(BigInt(number))));
    source.close();
    // Else the test would say nothing.
    expect(lucky.length).toBeGreaterThan(0);
    const scan = await scanner({ ids: lucky.map((number) => id('learner_id', long(number))) });
    expect(scan(path)).toMatchObject({ matches: [], unread: [] });
  });

  test('S5: one whose header is damaged is not proven', async () => {
    const bytes = readFileSync(planted('clean-bloom-filter.parquet'));
    bytes.fill(0xff, filterOf(bytes).from, filterOf(bytes).from + 4);
    const path = join(folder, 'damaged.parquet');
    writeFileSync(path, bytes);
    const { unread } = (await scanner({ ids: [id('learner_id', long(3590))] }))(path);
    expect(unread).toEqual([expect.stringMatching(/^Bloom filter of column learner_id: /)]);
  });
});
