import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeAvro } from '../../src/warehouse/iceberg/avro/index.ts';
import { withDuckdb } from './support/duckdb.ts';
import { temporaryFolder } from './support/folder.ts';
import { id, long, scanner, text } from './support/sought.ts';

const folder = temporaryFolder();
const SOUGHT = {
  texts: [text('nobody has this'), text('li', { wholeCell: true })],
  ids: [id('i', long(-5)), { ...id('i', long(0)), columns: ['i', 't'], values: [[long(-5), long(1)]] }],
};
const sources: Record<string, Buffer> = {};

beforeAll(async () => {
  await withDuckdb(async (run) => {
    for (const [codec, version] of [
      ['uncompressed', 'V1'],
      ['snappy', 'V2'],
      ['zstd', 'V1'],
      ['gzip', 'V2'],
      ['lz4', 'V1'],
      ['brotli', 'V2'],
    ]) {
      const path = join(folder, `${codec}.parquet`);
      await run(
        `COPY (SELECT i, CASE WHEN i % 9 = 0 THEN NULL ELSE concat('zoë ', i % 700, ' of them') END AS t, [i, i + 1] AS l
               FROM range(5000) r(i)) TO '${path}' (FORMAT parquet, COMPRESSION ${codec}, PARQUET_VERSION ${version})`,
      );
      sources[`${codec}.parquet`] = readFileSync(path);
    }
  });
  const avro = {
    schema: {
      type: 'record',
      name: 'r',
      fields: [
        { name: 'i', type: 'long' },
        { name: 't', type: ['null', 'string'] },
      ],
    },
    metadata: {},
    records: Array.from({ length: 400 }, (_, i) => ({ i: BigInt(i), t: i % 3 === 0 ? null : `zoë ${i}` })),
    sync: new Uint8Array(16).fill(7),
  } as const;
  sources['deflate.avro'] = Buffer.from(writeAvro({ ...avro, codec: 'deflate' }));
  sources['plain.avro'] = Buffer.from(writeAvro({ ...avro, codec: 'null' }));
  const json = JSON.stringify({
    'format-version': 2,
    'table-uuid': 'x',
    location: '/t',
    snapshots: [],
    properties: { a: 'b' },
  });
  sources['v1.gz.metadata.json'] = gzipSync(json);
  sources['v1.metadata.json'] = Buffer.from(json);
});

const scanOf = async (): Promise<
  (name: string, bytes: Uint8Array) => { matches: number; unread: readonly string[] }
> => {
  const scan = await scanner(SOUGHT);
  return (name, bytes) => {
    const path = join(folder, `damaged-${name}`);
    writeFileSync(path, bytes);
    const { matches, unread } = scan(path);
    return { matches: matches.length, unread };
  };
};

describe('damaged files', () => {
  test('whole files are read without a finding', async () => {
    const scan = await scanOf();
    for (const [name, bytes] of Object.entries(sources)) {
      expect(scan(name, bytes), name).toEqual({ matches: 0, unread: [] });
    }
    expect(Object.keys(sources)).toHaveLength(10);
  });

  test('S5: a file that is cut short anywhere is not proven', async () => {
    const scan = await scanOf();
    // Avro has no end mark: cut between two blocks, all that is there was read.
    const marked = Object.entries(sources).filter(([name]) => !name.endsWith('.avro'));
    fc.assert(
      fc.property(
        fc.constantFrom(...marked),
        fc.double({ min: 0.0001, max: 0.9999, noNaN: true }),
        ([name, bytes], part) => {
          const { unread } = scan(name, bytes.subarray(0, Math.max(1, Math.floor(bytes.length * part))));
          expect(unread.length, `${name} at ${part}`).toBeGreaterThan(0);
        },
      ),
      { seed: 3590, numRuns: 300 },
    );
    for (const name of ['plain.avro', 'deflate.avro']) {
      expect(scan(name, sources[name]!.subarray(0, -7)).unread.length, name).toBe(1);
    }
  });

  test('S5: a file with damaged bytes ends in a result, and one whose ends are damaged is not proven', async () => {
    const scan = await scanOf();
    const names = fc.constantFrom(...Object.keys(sources));
    const damage = fc.array(fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(names, damage, fc.boolean(), (name, flips, inFooter) => {
        const bytes = Buffer.from(sources[name]!);
        for (const { at, value } of flips) {
          const place = at % bytes.length;
          bytes[inFooter ? Math.max(0, bytes.length - 1 - (place % 1500)) : place] = value;
        }
        const { matches } = scan(name, bytes);
        expect(matches).toBe(0);
      }),
      { seed: 4998, numRuns: 800 },
    );
    for (const name of Object.keys(sources).filter((each) => each.endsWith('.parquet'))) {
      const bytes = Buffer.from(sources[name]!);
      bytes[bytes.length - 2] = 0;
      expect(scan(name, bytes).unread.length, name).toBe(1);
      // The first bytes are only a sign: the file is known by its last ones, and its columns are still read.
      const head = Buffer.from(sources[name]!);
      head[1] = 0;
      expect(scan(name, head).unread, name).toEqual([]);
    }
  });

  test.each([
    ['an ORC file', 'x.orc', Buffer.from('ORC and more of it, packed')],
    ['a zip archive', 'x', Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0])],
    ['a Parquet name over something else', 'x.parquet', Buffer.from('learner_id,email\n1,a@example.org\n')],
    ['an encrypted manifest', 'x.avro', Buffer.from('AGS1 and what nobody can read')],
    ['a gzip bomb of gzip', 'x.gz', gzipSync(gzipSync(gzipSync(gzipSync(Buffer.alloc(1000)))))],
  ])('S5: %s is not proven', async (_, name, bytes) => {
    const { unread } = (await scanOf())(name, bytes);
    expect(unread).toHaveLength(1);
  });

  test('S5: why a file is not proven says nothing of what is in it', async () => {
    const scan = await scanner(SOUGHT);
    const path = join(folder, 'secret.avro');
    writeFileSync(
      path,
      Buffer.concat([sources['plain.avro']!.subarray(0, 120), Buffer.from('secret@example.org'.repeat(9))]),
    );
    expect(JSON.stringify(scan(path).unread)).not.toContain('secret');
  });
});
