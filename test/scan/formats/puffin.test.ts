import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FileTable, NO_TABLE } from '../../../src/scan/ids/id-search.ts';
import { murmur3 } from '../../../src/scan/sketch/murmur3.ts';
import { sketchHash } from '../../../src/scan/sketch/theta.ts';
import { sharedPath, sharedReason } from '../../support/shared.ts';
import { withDuckdb } from '../support/duckdb.ts';
import { temporaryFolder } from '../support/folder.ts';
import { single } from '../support/iceberg-avro.ts';
import { id, long, scanner, text } from '../support/sought.ts';

const folder = temporaryFolder();
const THETA = 'apache-datasketches-theta-v1';

/** A Puffin file, put together as the specification says. */
function puffin(
  blobs: readonly { type: string; fields?: number[]; properties?: object; bytes: Uint8Array }[],
): Buffer {
  let offset = 4;
  const footer = blobs.map(({ type, fields = [], properties = {}, bytes }) => {
    const entry = {
      type,
      fields,
      'snapshot-id': 1,
      'sequence-number': 1,
      offset,
      length: bytes.length,
      properties,
    };
    offset += bytes.length;
    return entry;
  });
  const json = Buffer.from(JSON.stringify({ blobs: footer }));
  const size = Buffer.alloc(8);
  size.writeInt32LE(json.length);
  const magic = Buffer.from('PFA1');
  return Buffer.concat([magic, ...blobs.map(({ bytes }) => bytes), magic, json, size, magic]);
}

/** A compact theta sketch of hashes, in exact mode. */
function sketch(hashes: readonly bigint[]): Buffer {
  const bytes = Buffer.alloc(16 + hashes.length * 8);
  bytes.set([2, 3, 3, 0, 0, 0x1a, 0xcc, 0x93]);
  bytes.writeUInt32LE(hashes.length, 8);
  for (const [index, hash] of hashes.entries()) bytes.writeBigUInt64LE(hash, 16 + index * 8);
  return bytes;
}

const table: FileTable = {
  ...NO_TABLE,
  table: 'crm.learners',
  namesById: new Map([
    [1, 'learner_id'],
    [2, 'course_id'],
  ]),
};
const hashed = (bytes: Uint8Array): bigint => murmur3(bytes, 9001n) >> 1n;

async function scanned(bytes: Buffer) {
  const path = join(folder, 'x.puffin');
  writeFileSync(path, bytes);
  const email = new TextEncoder().encode('zofia.haase@example.org');
  const sought = {
    texts: [text('zofia.haase@exa')],
    ids: [id('learner_id', long(3590))],
    hashes: [{ hash: sketchHash(email), shared: false }],
  };
  return (await scanner(sought))(path, table);
}

describe('MurmurHash3', () => {
  test.each([
    ['', 0n],
    ['hello', 0xcbd8a7b341bd9b02n],
    ['The quick brown fox jumps over the lazy dog', 0xe34bbc7bbc071b6cn],
  ])('the published value of "%s"', (value, hash) => {
    expect(murmur3(new TextEncoder().encode(value), 0n)).toBe(hash);
  });
});

describe('Puffin files', () => {
  test('S4: a sketch that counted the id, in either width of its column', async () => {
    for (const form of [single.long(3590n), single.int(3590)]) {
      const blob = { type: THETA, fields: [1], bytes: sketch([5n, hashed(form)]) };
      expect((await scanned(puffin([blob]))).matches).toEqual([
        { kind: 'statistics', where: 'a theta sketch', shared: false },
      ]);
    }
  });

  test('S4: a sketch that counted the whole value of which the trace is the beginning', async () => {
    const blob = {
      type: THETA,
      fields: [9],
      bytes: sketch([hashed(Buffer.from('zofia.haase@example.org'))]),
    };
    expect((await scanned(puffin([blob]))).matches).toHaveLength(1);
  });

  test('a sketch of another column, and a deletion vector, are no trace', async () => {
    const other = { type: THETA, fields: [2], bytes: sketch([hashed(single.long(3590n))]) };
    const vector = { type: 'deletion-vector-v1', bytes: Buffer.from('zofia.haase@example.org') };
    expect(await scanned(puffin([other, vector]))).toMatchObject({ matches: [], unread: [] });
  });

  test.each([
    [
      'a path',
      puffin([
        {
          type: 'deletion-vector-v1',
          properties: { 'referenced-data-file': '/wh/learner_id=3590/a' },
          bytes: Buffer.alloc(4),
        },
      ]),
      'delete-file',
    ],
    [
      'a property',
      puffin([{ type: THETA, properties: { top: 'zofia.haase@example.org' }, bytes: sketch([]) }]),
      'statistics',
    ],
  ])('S4: %s', async (_, bytes, kind) => {
    const { matches, unread } = await scanned(bytes);
    expect(unread).toEqual([]);
    expect(matches).toMatchObject([{ kind }]);
  });

  test('S5: a blob of another kind is searched as bytes, and not proven: it may hold hashes', async () => {
    const blob = { type: 'histogram', bytes: Buffer.from('min zofia.haase@exa') };
    expect(await scanned(puffin([blob]))).toMatchObject({
      matches: [{ kind: 'statistics', where: 'a blob' }],
      unread: ['a blob of another kind: what it holds is not known'],
    });
  });

  test('S5: a sketch of an unknown form is not proven', async () => {
    const bytes = sketch([1n]);
    bytes[1] = 5;
    expect((await scanned(puffin([{ type: THETA, fields: [1], bytes }]))).unread).toHaveLength(1);
  });
});

const trino = ['samples', 'iceberg', 'impala-v3-trino_nested_variant'] as const;
const sample = sharedPath(...trino);
test.skipIf(sample === null)(
  `S4: every id of a table is found in the sketches that Trino made of it, and none that it lacks (${sample === null ? sharedReason(...trino) : 'Trino'})`,
  async () => {
    const stats = readdirSync(join(sample!, 'metadata')).find((name) => name.endsWith('.stats'))!;
    const data = readdirSync(join(sample!, 'data'))[0]!;
    const path = join(folder, stats);
    writeFileSync(path, readFileSync(join(sample!, 'metadata', stats)));
    const [column, values] = await withDuckdb(async (run) => {
      const [first] = await run(
        `SELECT name FROM parquet_schema('${join(sample!, 'data', data)}') WHERE field_id = 1`,
      );
      const rows = await run(
        `SELECT DISTINCT ${String(first![0])} FROM read_parquet('${join(sample!, 'data', data)}')`,
      );
      return [String(first![0]), rows.map(([value]) => String(value))] as const;
    });
    const within: FileTable = { ...NO_TABLE, table: 't', namesById: new Map([[1, column]]) };
    expect(values).toHaveLength(2);
    for (const value of values) {
      expect((await scanner({ ids: [id(column, long(value))] }))(path, within).matches, value).toHaveLength(
        1,
      );
    }
    expect((await scanner({ ids: [id(column, long(987654))] }))(path, within).matches).toEqual([]);
  },
);
