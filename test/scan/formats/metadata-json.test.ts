import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { id, long, scanner, text } from '../support/sought.ts';

const folder = temporaryFolder();
const EMAIL = 'Zoë.Haase@example.org';
const SOUGHT = { texts: [text('zoë.haase@examp')], ids: [id('learner_id', long('9007199254740993'))] };

/** Metadata with something planted at a path of keys. */
function metadata(path: readonly (string | number)[], value: unknown): string {
  const document = {
    'format-version': 2,
    'table-uuid': '0f8fad5b-d9cd-469f-a165-70867728950e',
    location: '/wh/crm/learners',
    properties: { 'write.format.default': 'parquet' },
    schemas: [
      { 'schema-id': 0, type: 'struct', fields: [{ id: 1, name: 'a', type: 'string', required: false }] },
    ],
    snapshots: [{ 'snapshot-id': 1, 'manifest-list': '/wh/snap-1.avro', summary: { operation: 'append' } }],
    statistics: [
      { 'snapshot-id': 1, 'statistics-path': '/wh/s.stats', 'blob-metadata': [{ properties: {} }] },
    ],
    'metadata-log': [{ 'metadata-file': '/wh/v1.metadata.json' }],
    refs: { main: { 'snapshot-id': 1, type: 'branch' } },
  };
  let at = document as unknown as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  if (path.length > 0) at[path.at(-1)!] = value;
  return JSON.stringify(document);
}

async function scanned(bytes: string | Buffer, name = 'v2.metadata.json') {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return (await scanner(SOUGHT))(path);
}

describe('table metadata', () => {
  test('names the files it refers to, and is clean without the person', async () => {
    const result = await scanned(metadata([], null));
    expect(result).toMatchObject({ matches: [], unread: [] });
    expect(result.references).toEqual([
      { location: '/wh/snap-1.avro', role: 'metadata' },
      { location: '/wh/s.stats', role: 'statistics' },
      { location: '/wh/v1.metadata.json', role: 'metadata' },
    ]);
  });

  test.each<[string, (string | number)[], unknown, string]>([
    ['a summary', ['snapshots', 0, 'summary', 'filter'], `email = '${EMAIL}'`, 'summary'],
    [
      'a key of a summary',
      ['snapshots', 0, 'summary', `partitions.email=${encodeURIComponent(EMAIL)}`],
      'x',
      'summary',
    ],
    [
      'an id in a key of a summary',
      ['snapshots', 0, 'summary', 'partitions.learner_id=9007199254740993'],
      'x',
      'summary',
    ],
    ['a property', ['properties', 'owner'], EMAIL, 'metadata'],
    ['a name of a branch', ['refs', EMAIL], { 'snapshot-id': 1, type: 'branch' }, 'metadata'],
    ['a default', ['schemas', 0, 'fields', 0, 'initial-default'], EMAIL, 'metadata'],
    ['a doc', ['schemas', 0, 'fields', 0, 'doc'], `like ${EMAIL}`, 'metadata'],
    ['a path', ['snapshots', 0, 'manifest-list'], `/wh/${EMAIL}/snap.avro`, 'path'],
    ['the location', ['location'], `/wh/${EMAIL}`, 'path'],
    ['statistics', ['statistics', 0, 'blob-metadata', 0, 'properties', 'min'], EMAIL, 'statistics'],
  ])('S4: %s', async (_, path, value, kind) => {
    // Escaped, as Jackson and Python write what is not ASCII.
    const plain = metadata(path, value);
    const json = plain.replace(
      /[\u0080-\uffff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    for (const bytes of [plain, json, gzipSync(json)]) {
      const { matches, unread } = await scanned(bytes);
      expect(unread).toEqual([]);
      expect(matches.map((match) => match.kind)).toEqual([kind]);
    }
  });

  test('a neighbouring 64-bit id is another one', async () => {
    const path = ['snapshots', 0, 'summary', 'partitions.learner_id=9007199254740992'];
    expect((await scanned(metadata(path, 'x'))).matches).toEqual([]);
  });

  test('S5: metadata cut short is not proven, and still searched', async () => {
    const json = metadata(['properties', 'owner'], EMAIL);
    const { matches, unread } = await scanned(json.slice(0, -9));
    expect(unread).toHaveLength(1);
    expect(matches).toHaveLength(1);
  });
});

describe('anything else', () => {
  test.each<[string, string, string | Buffer]>([
    ['CSV', 'export.csv', `1,${EMAIL},x\n`],
    ['CSV in UTF-16', 'export.txt', Buffer.from(`\ufeff1\t${EMAIL}\n`, 'utf16le')],
    ['gzip of CSV', 'export.csv.gz', gzipSync(`1,${EMAIL},x\n`)],
    ['gzip of gzip', 'twice', gzipSync(gzipSync(`1,${EMAIL},x\n`))],
    ['JSON lines with escapes', '00000.json', '{"min":{"email":"zo\\u00eb.haase@example.org"}}\n{}\n'],
    ['an unknown suffix', 'data.bak~', `\0\u0001${EMAIL}`],
    ['a hidden file', '._SUCCESS.crc', EMAIL],
    [
      'a database file',
      'app.sqlite',
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(300), Buffer.from(EMAIL)]),
    ],
  ])('S4: %s', async (_, name, bytes) => {
    const { matches, unread } = await scanned(bytes, name);
    expect(unread).toEqual([]);
    expect(matches).toMatchObject([{ kind: 'other', shared: false }]);
  });

  test('S4: a trace that lies across two pieces of a large file', async () => {
    const piece = 8 << 20;
    const bytes = Buffer.alloc(130 << 20, 0x20);
    bytes.write(EMAIL, 3 * piece - 7, 'utf8');
    expect((await scanned(bytes, 'large.log')).matches).toHaveLength(1);
  });
});
