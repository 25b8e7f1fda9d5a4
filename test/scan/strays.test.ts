import { createCipheriv, createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { system } from '../../src/cli/system.ts';
import { noteTraces, scan, type Traces } from '../../src/scan/index.ts';
import { localStorage } from '../../src/storage/index.ts';
import { openIceberg } from '../../src/warehouse/index.ts';
import { temporaryFolder } from './support/folder.ts';
import { arrow, type Lake, makeLake, PERSON } from './support/lake.ts';
import { id, long, scanner, text } from './support/sought.ts';

const folder = temporaryFolder();

/** Scans one file of this content, for an id and a text. */
async function scanned(content: string | Uint8Array, name = 'part-0') {
  const path = join(mkdtempSync(join(folder, 'file-')), name);
  writeFileSync(path, content);
  const run = await scanner({
    ids: [id('learner_id', long(PERSON.id)), id('who', { type: 'text', value: 'ada l.' })],
    texts: [text('quirina zolotar')],
  });
  return run(path);
}

/** As random as what a good cipher makes, and the same in every run. */
function sealed(bytes: number): Buffer {
  const key = createHash('sha256').update('a key of the tests').digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(bytes));
}

test.each([
  ['a table of commas', 'learner_id,n\n1,2\n3590,3\n'],
  ['quoted cells, semicolons, another order', '"n";"Learner_ID"\r\n"3;4";"003590"\r\n'],
  ['tabs, after a value of two lines', 'note\tlearner_id\n"two\nlines"\t3590\n'],
  ['one column', '\uFEFFlearner_id\n12\n3590'],
  ['JSON lines', '{"learner_id":12}\n{"learner_id": 3590, "n": 1}\n'],
  ['JSON text', '[{"x":{"LEARNER_ID":"3590"}}]'],
  ['JSON inside JSON', '{"payload":"{\\"learner_id\\":3590}"}'],
  ['YAML', 'rows:\n  - learner_id: 3590\n    n: 1\n'],
  ['XML', '<row><learner_id>3590</learner_id></row>'],
  ['a log line', 'INFO refund learner_id=3590, cents=5'],
  ['a text id with blanks', '{"who": "ada l."}'],
])('S2: an id is found in a file of text by the name of its column: %s', async (_, content) => {
  for (const bytes of [content, gzipSync(content), Buffer.from(`\uFEFF${content}`, 'utf16le')]) {
    const { matches, unread } = await scanned(bytes);
    expect(matches).toEqual([{ kind: 'other', where: expect.stringMatching(/^a value of /), shared: false }]);
    expect(unread).toEqual([]);
  }
});

test.each([
  ['below another column', 'learner_id,n\n1,3590\n'],
  ['behind another name', '{"my_learner_id": 3590, "learner_id_old": 3590, "n": 3590}'],
  ['a part of a number', 'learner_id=35901 learner_id=13590 learner_id=3590.5'],
  ['alone', '3590'],
])('S2: a number that is no id of the person is none in a file of text: %s', async (_, content) => {
  expect(await scanned(content)).toMatchObject({ matches: [], unread: [] });
});

const TENANT = { ...id('tenant', long(1)), columns: ['tenant', 'member'], values: [[long(7), long(3590)]] };
async function scannedForBoth(content: string) {
  const path = join(mkdtempSync(join(folder, 'file-')), 'part-0');
  writeFileSync(path, content);
  const { matches, unread } = (await scanner({ ids: [TENANT] }))(path);
  return [matches.map(({ where }) => where), unread.map((why) => why.slice(0, 28))];
}

test.each([
  ['cells of one line', 'member;n;tenant\n1;2;7\n3590;2;07\n', 'cells of tenant, member'],
  [
    'JSON lines',
    '{"tenant":7,"member":1}\n{"tenant": 7, "x": {"a": 1}, "member": "3590"}\n',
    'values of tenant, member',
  ],
  ['JSON in JSON', '[{"key":{"tenant":7},"member":3590}]', 'values of tenant, member'],
  ['a line of a log', 'INFO tenant=7 member=3590', 'values of tenant, member'],
])('S2: an id of several columns is found in a file of text: %s', async (_, content, where) => {
  expect(await scannedForBoth(content)).toEqual([[where], []]);
});

test.each([
  ['YAML', 'rows:\n  - tenant: 7\n    member: 3590\n'],
  ['JSON over several lines', '{\n  "tenant": 7,\n  "member": 3590\n}\n'],
  ['XML over several lines', '<row>\n<tenant>7</tenant>\n<member>3590</member>\n</row>'],
])('S5: parts of an id over several lines are not proven: %s', async (_, content) => {
  expect(await scannedForBoth(content)).toEqual([[], ['all parts of an id (tenant, ']]);
});

test.each([
  ['cells of two lines', 'member,tenant\n1,7\n3590,8\n'],
  ['two objects', '[{"tenant":7,"member":1},{"tenant":8,"member":3590}]'],
  ['two lines of a log', 'tenant=7 member=1\ntenant=8 member=3590\n'],
  ['two items', '- tenant: 7\n  member: 1\n- tenant: 8\n  member: 3590\n'],
  [
    'two elements',
    '<r><tenant>7</tenant><member>1</member></r><r><tenant>8</tenant><member>3590</member></r>',
  ],
  ['one part alone', 'member\n3590\n'],
])('S2: parts of an id in two records are nobody: %s', async (_, content) => {
  expect(await scannedForBoth(content)).toEqual([[], []]);
});

const row = `quirina zolotareva,${'so that there is something to pack '.repeat(20)}`;

test.each([
  ['Brotli', brotliCompressSync(row)],
  ['zlib', deflateSync(row)],
  [
    'the name that gzip keeps of a file',
    Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
      Buffer.from('Quirina Zolotareva.csv\0'),
      gzipSync('nothing').subarray(10),
    ]),
  ],
])('S4: what is packed without a magic number is unpacked: %s', async (_, content) => {
  const { matches, unread } = await scanned(content);
  expect(matches).toMatchObject([{ kind: 'other', shared: false }]);
  expect(unread).toEqual([]);
});

test('S5: content that looks packed or encrypted, of whatever format, is not proven', async () => {
  for (const bytes of [64, 200, 1000, 100_000]) {
    expect((await scanned(sealed(bytes))).unread, `${bytes} bytes`).toEqual([
      'it is of no known format, and looks packed or encrypted',
    ]);
  }
  const behindText = Buffer.concat([Buffer.alloc(200_000), sealed(70_000)]);
  expect((await scanned(behindText)).unread).toHaveLength(1);
});

test('S5: text of any script, checksums, and numbers in binary are proven', async () => {
  const numbers = Buffer.from(Int32Array.from({ length: 20_000 }, (_, at) => at * 7).buffer);
  const checksums = Buffer.concat([Buffer.from('crc\0'), sealed(4000)]);
  const japanese = '東京都千代田区丸の内'.repeat(10_000);
  for (const content of [
    numbers,
    checksums,
    japanese,
    sealed(4000).toString('base64'),
    new Uint8Array(500),
  ]) {
    expect(await scanned(content)).toMatchObject({ matches: [], unread: [] });
  }
});

let lake: Lake;
let traces: Traces;
beforeAll(async () => {
  lake = await makeLake(folder);
  traces = await noteTraces({ ...lake, bound: await lake.bind() });
});

test('S4: the name of an empty folder is a path, too', async () => {
  const emptied = join(
    lake.root,
    'crm',
    'learners',
    'data',
    'learner_id=3590',
    `email=${encodeURIComponent(PERSON.email)}`,
  );
  mkdirSync(emptied, { recursive: true });
  mkdirSync(join(lake.root, 'stray', 'learner_id=12'), { recursive: true });
  const found = (await scan({ ...lake, traces })).tables.flatMap((table) =>
    table.found
      .filter(({ kind }) => kind === 'path')
      .map(({ file }) => [table.table, file.slice(lake.root.length)]),
  );
  expect(found).toEqual([['crm.learners', '/crm/learners/data/learner_id=***/email=***']]);
  rmSync(join(lake.root, 'stray'), { recursive: true });
  await lake.warehouse.sweep('crm.learners', { minAgeMs: 1_000_000 });
  const swept = await scan({ ...lake, traces });
  expect(swept.tables.flatMap(({ found: each }) => each).filter(({ kind }) => kind === 'path')).toEqual([]);
});

test('a file that nobody names is found where a table puts its files by its settings, too', async () => {
  const dir = mkdtempSync(join(folder, 'apart-'));
  const data = join(dir, 'b', 'learners');
  const catalog = {
    kind: 'sql',
    url: `sqlite:${dir}/c.db`,
    warehouse: join(dir, 'a'),
    create: true,
  } as const;
  const warehouse = await openIceberg({ catalog: { ...catalog, locations: [join(dir, 'b')] }, ...system });
  try {
    await warehouse.create('crm.learners', {
      columns: [{ name: 'learner_id', type: 'long' }],
      properties: { 'write.data.path': data },
    });
    await warehouse.append('crm.learners', arrow({ learner_id: 'long' }, [{ learner_id: 1 }]));
    const stray = join(data, 'lost.csv');
    writeFileSync(stray, `email\n${PERSON.email}\n`);
    const found = (await scan({ warehouse, traces })).tables.flatMap((each) =>
      each.found.map(({ kind, file }) => [each.table, kind, file]),
    );
    expect(found).toEqual([['crm.learners', 'other', stray]]);
  } finally {
    await warehouse.close();
  }
});

test('S5: a link to a folder is not followed, and is not proven; a link that leads nowhere stops nothing', async () => {
  const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
  writeFileSync(join(elsewhere, 'copy.csv'), PERSON.email);
  const links = join(lake.root, 'links');
  mkdirSync(links);
  symlinkSync(elsewhere, join(links, 'folder'));
  symlinkSync(join(links, 'self'), join(links, 'self'));
  // Without roots, so that nothing but the scan itself can object to the link.
  const warehouse = new Proxy(lake.warehouse, {
    get: (target, property) =>
      property === 'storage'
        ? localStorage()
        : property === 'list'
          ? async () => []
          : Reflect.get(target, property),
  });
  const { tables } = await scan({ warehouse, traces });
  expect(tables.find(({ table }) => table === links)?.unread.map(({ file }) => file)).toEqual([
    join(links, 'folder'),
    join(links, 'self'),
  ]);
  rmSync(links, { recursive: true });
});

test('S5: a file or folder whose name is no text is not proven', async (context) => {
  const letters = join(lake.root, 'letters');
  const at = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`${letters}/`), Buffer.from(name, 'latin1')]);
  mkdirSync(letters);
  try {
    mkdirSync(at('M\xfcller'));
  } catch {
    rmSync(letters, { recursive: true });
    context.skip('this file system takes no names that are no UTF-8');
  }
  writeFileSync(at('M\xfcller/copy.csv'), PERSON.email);
  writeFileSync(at('\xff.csv'), PERSON.email);
  const { tables } = await scan({ warehouse: lake.warehouse, traces });
  const unread = tables.find(({ table }) => table === letters)?.unread ?? [];
  expect(unread.map(({ file }) => file).sort()).toEqual([
    join(letters, 'M\ufffdller'),
    join(letters, '\ufffd.csv'),
  ]);
  rmSync(letters, { recursive: true });
});
