import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FileResult } from '../../src/scan/file-scan.ts';
import { NO_TABLE } from '../../src/scan/ids/id-search.ts';
import { lz4Block } from '../../src/scan/packed/lz4.ts';
import { unpackLz4Frames } from '../../src/scan/packed/lz4-frame.ts';
import { openCodecs } from '../../src/scan/parquet/codecs.ts';
import { sketchHashes } from '../../src/scan/sketch/theta.ts';
import { Unread } from '../../src/scan/unread.ts';
import { checkThrift } from '../../src/warehouse/thrift-guard.ts';
import { temporaryFolder } from './support/folder.ts';
import { id, long, scanner, text } from './support/sought.ts';

const folder = temporaryFolder();
const planted = fileURLToPath(new URL('../fixtures/data-files/planted/', import.meta.url));
const table = { ...NO_TABLE, table: 'crm.learners', namesById: new Map([[1, 'learner_id']]) };
/** Sought everywhere and held by none of the clean files; a short text reads every cell. */
const NOBODY = {
  texts: [text('nobody has this'), text('qx', { wholeCell: true })],
  ids: [
    id('learner_id', long(-3590)),
    { ...id('learner_id', long(1)), columns: ['learner_id', 'email'], values: [[long(-1), long(-2)]] },
  ],
};
const PERSON = { texts: [text('zofia.haase@exa')], ids: [id('learner_id', long(3590))] };

let nobody: (path: string, table?: typeof NO_TABLE) => FileResult;
let person: typeof nobody;
beforeAll(async () => {
  nobody = await scanner(NOBODY);
  person = await scanner(PERSON);
});

function scanned(scan: typeof nobody, name: string, bytes: Uint8Array): FileResult {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return scan(path, table);
}

const of = (ending: RegExp): readonly (readonly [string, Buffer])[] =>
  readdirSync(planted)
    .filter((name) => ending.test(name))
    .map((name) => [name, readFileSync(join(planted, name))]);

const files = {
  parquet: of(/^clean.*\.parquet$/),
  puffin: of(/^clean.*\.puffin$/),
  packed: of(/^clean.*\.(gz|zst|lz4)$/),
};
const damage = fc.array(fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) }), {
  minLength: 1,
  maxLength: 8,
});

describe.each(Object.entries(files))('damaged files: %s', (_, each) => {
  test('S5: cut short anywhere, one is not proven', () => {
    fc.assert(
      fc.property(fc.constantFrom(...each), fc.nat(), ([name, bytes], at) => {
        const cut = 5 + (at % (bytes.length - 5));
        const { unread, matches } = scanned(nobody, name, bytes.subarray(0, cut));
        expect(matches).toEqual([]);
        expect(unread.length, `${name} at ${cut}`).toBeGreaterThan(0);
      }),
      { seed: 3590, numRuns: 250 },
    );
  });

  test('with flipped bytes, most of all near its end, one ends in a result without a false hit', () => {
    fc.assert(
      fc.property(fc.constantFrom(...each), damage, fc.boolean(), ([name, bytes], flips, nearEnd) => {
        const hurt = Buffer.from(bytes);
        for (const { at, value } of flips)
          hurt[nearEnd ? Math.max(0, hurt.length - 1 - (at % 1200)) : at % hurt.length] = value;
        expect(scanned(nobody, name, hurt).matches).toEqual([]);
      }),
      { seed: 4998, numRuns: 400 },
    );
  });
});

describe('a planted person in damaged files', () => {
  // The last bytes say what the rest is: what they hide must not pass for clean.
  test.each(of(/^(data-page|delta|dictionary-page|duckdb|byte-stream-split|data-page-v2).*\.parquet$/))(
    'S5: is found, or the file is not proven, whatever byte of the footer is another: %s',
    (name, bytes) => {
      const footer = bytes.readUInt32LE(bytes.length - 8);
      const clean: number[] = [];
      for (let at = bytes.length - 8 - footer; at < bytes.length; at += 1) {
        const hurt = Buffer.from(bytes);
        hurt[at]! ^= 0x15;
        const { matches, unread } = scanned(person, name, hurt);
        if (matches.length === 0 && unread.length === 0) clean.push(at);
      }
      expect(clean).toEqual([]);
    },
  );

  test.each(of(/^sketch.*\.puffin$/))('S5: the same of a Puffin footer: %s', (name, bytes) => {
    const size = bytes.readInt32LE(bytes.length - 12);
    const json = bytes.toString('latin1', bytes.length - 12 - size, bytes.length - 12);
    // Names of columns and snapshots say nothing of the blob's place.
    const [begin, end] = [json.indexOf('"type"'), json.indexOf('"compression-codec"')];
    const clean: string[] = [];
    for (let at = begin; at < (end === -1 ? json.indexOf('}') : end); at += 1) {
      const hurt = Buffer.from(bytes);
      hurt[bytes.length - 12 - size + at]! ^= 0x15;
      const { matches, unread } = scanned(person, name, hurt);
      if (matches.length === 0 && unread.length === 0) clean.push(json.slice(Math.max(0, at - 12), at + 2));
    }
    expect(clean.filter((place) => !/fields|snapshot|sequence/.test(place))).toEqual([]);
  });
});

describe('bombs and absurd sizes', () => {
  test.each(['GZIP', 'BROTLI', 'ZSTD', 'SNAPPY', 'LZ4', 'LZ4_RAW'])(
    'S5: a page of %s never gives more than its header says, and another size is refused',
    async (codec) => {
      const unpack = await openCodecs();
      const zeros = Buffer.alloc(1 << 20);
      const bombs: Readonly<Record<string, Uint8Array>> = {
        GZIP: gzipSync(zeros),
        BROTLI: brotliCompressSync(zeros),
        ZSTD: readFileSync(join(planted, 'rows.csv.zst')),
        // A length of 1 MiB, a literal, and copies of it without end.
        SNAPPY: Buffer.concat([
          Buffer.from([0x80, 0x80, 0x40, 0, 0]),
          Buffer.alloc(60_000, Buffer.from([0xfe, 1, 0])),
        ]),
        LZ4: Buffer.concat([Buffer.from([0, 16, 0, 0, 0, 0, 1, 4, 0x1f, 0, 1, 0]), Buffer.alloc(256, 255)]),
        LZ4_RAW: Buffer.concat([Buffer.from([0x1f, 0, 1, 0]), Buffer.alloc(5000, 255), Buffer.from([0])]),
      };
      for (const size of [1, 10, 1000, 1 << 19])
        expect(() => unpack(codec, bombs[codec]!, size)).toThrow(Unread);
      expect(() => unpack(codec, bombs[codec]!, 2 ** 31 - 1)).toThrow(Unread);
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(5000), (bytes, size) => {
          try {
            expect(unpack(codec, bytes, size).length).toBe(size);
          } catch (error) {
            expect(error).toBeInstanceOf(Unread);
          }
        }),
        { seed: 7, numRuns: 300 },
      );
    },
  );

  test('S5: files that unpack to more than fits in memory are not proven', async () => {
    const gzip = gzipSync(Buffer.alloc((256 << 20) + 1));
    expect(scanned(nobody, 'bomb.csv.gz', gzip).unread).toEqual(['it unpacks to more than 256 MiB']);
    // A frame that says that it holds 2^40 bytes.
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]);
    expect(scanned(nobody, 'bomb.csv.zst', frame).unread).toEqual(['it unpacks to more than 256 MiB']);
    const lz4 = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x68, 0x70, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(scanned(nobody, 'bomb.csv.lz4', lz4).unread).toEqual(['it unpacks to more than 256 MiB']);
  });

  test.each([
    ['a list of a billion structs', [0x19, 0xfc, 0x80, 0x80, 0x80, 0x80, 0x04]],
    ['a list of flags that ends early', [0x19, 0xf1, 0xff, 0xff, 0xff, 0x0f]],
    ['structs in structs without end', Array.from({ length: 100_000 }, () => 0x1c)],
    ['lists in lists without end', [0x19, ...Array.from({ length: 100_000 }, () => 0x19)]],
    ['a text of two gigabytes', [0x18, 0xff, 0xff, 0xff, 0xff, 0x07]],
    ['a number without end', [0x15, ...Array.from({ length: 40 }, () => 0xff)]],
    ['nothing', []],
  ])('S5: Thrift is refused before it is parsed: %s', (_, bytes) => {
    expect(() => checkThrift(Uint8Array.from(bytes))).toThrow(RangeError);
  });

  test('S5: ten million empty structs are more than a footer has', () => {
    const bytes = new Uint8Array(10_000_006);
    bytes.set([0x19, 0xfc, 0x80, 0xad, 0xe2, 0x04]);
    expect(() => checkThrift(bytes)).toThrow('more than can be read');
  });

  test('S5: a Parquet footer that claims to be as long as the file, or longer, is not proven', () => {
    const [name, bytes] = files.parquet[0]!;
    for (const length of [0, 1, bytes.length - 9, bytes.length, 0x7fff_ffff, 0xffff_ffff]) {
      const hurt = Buffer.from(bytes);
      hurt.writeUInt32LE(length, hurt.length - 8);
      expect(scanned(nobody, name, hurt).unread).toHaveLength(1);
    }
  });

  test.each([
    ['outside of the file', { offset: 1e9 }],
    ['of a negative length', { length: -1 }],
    ['that begins before the file', { offset: -5 }],
    ['of no number', { offset: 'x' }],
    ['of 2^53 bytes', { length: 2 ** 53 }],
  ])('S5: a Puffin blob %s is not proven', (_, given) => {
    const blob = { type: 'apache-datasketches-theta-v1', fields: [1], offset: 4, length: 8, ...given };
    const json = Buffer.from(JSON.stringify({ blobs: [blob] }));
    const size = Buffer.alloc(8);
    size.writeInt32LE(json.length);
    const magic = Buffer.from('PFA1');
    const file = Buffer.concat([magic, Buffer.alloc(8), magic, json, size, magic]);
    expect(scanned(nobody, 'blob.puffin', file).unread.length).toBeGreaterThan(0);
  });

  test('S5: readers of sketches and LZ4 end in a result or refuse, for any bytes', () => {
    const run = (read: () => unknown, refused: new (...given: never[]) => Error): void => {
      try {
        read();
      } catch (error) {
        expect(error).toBeInstanceOf(refused);
      }
    };
    const sketch = fc.tuple(
      fc.constantFrom(1, 2, 3),
      fc.constantFrom(3, 4),
      fc.constant(3),
      fc.uint8Array({ maxLength: 80 }),
    );
    fc.assert(
      fc.property(sketch, fc.uint8Array({ maxLength: 120 }), ([longs, version, family, rest], packed) => {
        run(() => sketchHashes(Uint8Array.from([longs, version, family, ...rest])), Unread);
        run(() => lz4Block(packed, new Uint8Array(500), 0), RangeError);
        run(
          () => unpackLz4Frames(Uint8Array.from([4, 0x22, 0x4d, 0x18, 0x40, 0x40, 0, ...packed]), 1000),
          Unread,
        );
      }),
      { seed: 11, numRuns: 2000 },
    );
  });
});
