import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FileTable, NO_TABLE } from '../../../src/scan/ids/id-search.ts';
import { temporaryFolder } from '../support/folder.ts';
import { container, type ManifestEntry, manifest, manifestList, single } from '../support/iceberg-avro.ts';
import { id, long, scanner, text } from '../support/sought.ts';

const folder = temporaryFolder();
const SCHEMA = [
  { id: 1, name: 'learner_id', type: 'long' },
  { id: 2, name: 'email', type: 'string' },
  { id: 3, name: 'course_id', type: 'int' },
  { id: 4, name: 'token', type: 'string' },
];
const SPEC = [
  { id: 1000, name: 'email', source: 2, transform: 'identity', type: 'string' },
  { id: 1001, name: 'who', source: 1, transform: 'identity', type: 'long' },
  { id: 1002, name: 'who_bucket', source: 1, transform: 'bucket[16]', type: 'long' },
];
const TOKEN = { type: 'text', value: 'urn:person:00000000-1111' } as const;
const SOUGHT = {
  texts: [text('zofia.haase@exa'), text('1990-05-17', { shared: true })],
  ids: [id('learner_id', long(3590)), id('token', TOKEN)],
};

async function scanManifest(entry: ManifestEntry, table?: FileTable) {
  const path = join(folder, 'm0.avro');
  writeFileSync(path, await manifest({ schema: SCHEMA, spec: SPEC, entries: [{}, entry] }));
  return (await scanner(SOUGHT))(path, table);
}

describe('manifests', () => {
  test('one without the person is read and clean, and names its files', async () => {
    const result = await scanManifest({
      path: '/wh/data/b.parquet',
      content: 2,
      lower: {
        1: single.long(1n),
        2: single.text('anna'),
        3: single.int(3590),
        4: single.text(TOKEN.value.slice(0, 7)),
      },
      // Not the beginning of the token, and not cut: somebody else's, which is longer.
      upper: { 1: single.long(9000n), 2: single.text('zz'), 4: single.text(`${TOKEN.value}0`) },
      partition: { email: 'x', who: 3591, who_bucket: 3590 },
    });
    expect(result).toMatchObject({ matches: [], unread: [], doubts: [] });
    expect(result.references).toContainEqual({ location: '/wh/data/b.parquet', role: 'delete-file' });
  });

  test.each<[string, ManifestEntry, string, string]>([
    [
      'an id as a lower bound',
      { lower: { 1: single.long(3590n) } },
      'bound',
      'lower bound of learner_id in an added entry',
    ],
    [
      'an id written before the column was promoted',
      { upper: { 1: single.int(3590) } },
      'bound',
      'upper bound of learner_id in an added entry',
    ],
    [
      'a text bound in a deleted entry',
      { status: 2, lower: { 2: single.text('ZOFIA.HAASE@EXAM') } },
      'bound',
      'lower bound of email in a deleted entry',
    ],
    [
      'a greatest text, its last character raised by one',
      { upper: { 2: single.text('zofia.haase@exan') } },
      'bound',
      'upper bound of email in an added entry',
    ],
    [
      'a text in a column that the schema lacks',
      { lower: { 99: single.text('zofia.haase@exam') } },
      'bound',
      'lower bound of a column that its schema lacks in an added entry',
    ],
    [
      'a partition value',
      { partition: { email: 'Zofia.Haase@example.org' } },
      'partition',
      'partition by email of an added entry',
    ],
    [
      'a typed partition value',
      { partition: { who: 3590 } },
      'partition',
      'partition by who of an added entry',
    ],
    ['a path', { path: '/wh/email=zofia.haase%40example.org/a.parquet' }, 'path', 'path in an added entry'],
    ['an id in a path', { path: '/wh/learner_id=3590/a.parquet' }, 'path', 'path in an added entry'],
    [
      'a referenced file',
      { referenced: '/wh/zofia.haase@example.org.parquet' },
      'path',
      'path in an added entry',
    ],
  ])('S4: %s', async (_, entry, kind, where) => {
    const { matches, unread } = await scanManifest(entry);
    expect(unread).toEqual([]);
    expect(matches).toEqual([{ kind, where: where.replace('by who', 'by learner_id'), shared: false }]);
  });

  test.each([
    ['lower', 'urn:person:00000'],
    ['upper', 'urn:person:00001'],
  ])(
    'S5: a long text id cut to sixteen characters, the last perhaps raised, is in doubt: %s',
    async (side, kept) => {
      const entry = { path: '/wh/data/b.parquet', [side]: { 4: single.text(kept) } };
      const { matches, unread, doubts } = await scanManifest(entry);
      expect([matches, unread]).toEqual([[], []]);
      const where = `${side} bound of token in an added entry`;
      expect(doubts).toEqual([{ file: '/wh/data/b.parquet', column: 'token', where, shared: false }]);
    },
  );

  test('S2: in a table that keeps the rows an id bound is expected, and a text bound is not', async () => {
    const sought = { ...SOUGHT, ids: [id('learner_id', long(3590), { expectedIn: ['billing.payments'] })] };
    const path = join(folder, 'kept.avro');
    const entries = [{ lower: { 1: single.long(3590n), 2: single.text('zofia.haase@exam') } }];
    writeFileSync(path, await manifest({ schema: SCHEMA, entries }));
    const { matches } = (await scanner(sought))(path, { ...NO_TABLE, table: 'billing.payments' });
    expect(matches.map(({ where }) => where)).toEqual(['lower bound of email in an added entry']);
  });

  test('S3: a bound that others share is reported as shared', async () => {
    const { matches } = await scanManifest({ lower: { 2: single.text('1990-05-17') } });
    expect(matches).toMatchObject([{ kind: 'bound', shared: true }]);
  });

  test('S5: without its schema a manifest is not proven', async () => {
    const path = join(folder, 'no-schema.avro');
    const schema = { type: 'record', name: 'manifest_entry', fields: [{ name: 'status', type: 'int' }] };
    writeFileSync(path, await container(schema, { 'partition-spec': '[]' }, [{ status: 1 }]));
    expect((await scanner(SOUGHT))(path).unread).toHaveLength(1);
  });
});

describe('manifest lists', () => {
  const partitioned: FileTable = { ...NO_TABLE, table: 'x', partitionColumns: ['learner_id'] };

  test.each([
    ['a path', { path: '/wh/zofia.haase@example.org-m0.avro' }, 'path'],
    ['a whole text bound', { path: '/m', lower: single.text('Zofia.Haase@example.org') }, 'partition'],
    ['an id bound', { path: '/m', upper: single.long(3590n) }, 'partition'],
  ] as const)('S4: %s', async (_, entry, kind) => {
    const path = join(folder, 'snap.avro');
    writeFileSync(path, await manifestList(entry));
    const { matches, unread, references } = (await scanner(SOUGHT))(path, partitioned);
    expect(unread).toEqual([]);
    expect(matches).toMatchObject([{ kind, shared: false }]);
    expect(references).toEqual([{ location: entry.path, role: 'metadata' }]);
  });

  test('a number that is no bound of an id column is none of the person', async () => {
    const path = join(folder, 'snap2.avro');
    writeFileSync(path, await manifestList({ path: '/m', lower: single.long(3590n) }));
    expect(
      (await scanner(SOUGHT))(path, { ...partitioned, partitionColumns: ['course_id'] }).matches,
    ).toEqual([]);
  });
});

describe('other Avro files', () => {
  const schema = {
    type: 'record',
    name: 'row',
    fields: [
      { name: 'learner_id', type: ['null', 'long'] },
      {
        name: 'notes',
        type: {
          type: 'array',
          items: { type: 'record', name: 'note', fields: [{ name: 'text', type: 'string' }] },
        },
      },
      { name: 'tags', type: { type: 'map', values: 'string' } },
      { name: 'again', type: ['null', 'note'] },
    ],
  };
  const row = (given: object): object => ({
    learner_id: 1,
    notes: [],
    tags: {},
    again: null,
    ...given,
  });

  test.each([
    ['nothing', row({}), []],
    ['an id', row({ learner_id: 3590 }), ['column learner_id']],
    [
      'a text in a record of a list',
      row({ notes: [{ text: 'by Zofia.Haase@example.org' }] }),
      ['column notes.element.text'],
    ],
    ['a value of a map', row({ tags: { a: 'zofia.haase@exam' } }), ['column tags.value']],
    ['a key of a map', row({ tags: { 'zofia.haase@exam': 'a' } }), ['column tags.key']],
    ['a named type used again', row({ again: { text: 'zofia.haase@exam' } }), ['column again.text']],
  ])('S4: %s', async (_, record, expected) => {
    const path = join(folder, 'rows.avro');
    writeFileSync(path, await container(schema, {}, [row({}), record]));
    const { matches, unread } = (await scanner(SOUGHT))(path);
    expect(unread).toEqual([]);
    expect(matches.map(({ where }) => where)).toEqual(expected);
  });
});
