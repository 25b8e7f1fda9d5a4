import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lineage, readLineage } from '../../src/lineage/index.ts';
import { localStorage } from '../../src/storage/index.ts';
import { runEvents } from '../support/openlineage.ts';
import { lines, readBothWays } from './support.ts';

const events = ['a', 'b', 'c'].flatMap((column, at) =>
  runEvents({ job: `job ${column} {["\\n`, output: 'm.t', columns: { [column]: ['s.u.id'] }, at }),
);
const expected = ['a', 'b', 'c'].map((column) => `s.u.id -> m.t.${column} identity`);
const json = (value: unknown, indent?: number): string => JSON.stringify(value, null, indent);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lethe-lineage-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(content: string | Uint8Array, name = 'events.json'): Promise<Lineage> {
  const file = join(folder, name);
  await writeFile(file, content);
  return readBothWays({ from: [file], storage: localStorage() });
}

const ndjson = events.map((event) => json(event)).join('\n');

test.each([
  ['one event a line', ndjson],
  ['with a last line end', `${ndjson}\n`],
  ['with empty lines', `\n${ndjson.replaceAll('\n', '\n\n')}\n\n`],
  ['with Windows line ends', ndjson.replaceAll('\n', '\r\n')],
  ['with a byte-order mark', `\ufeff${ndjson}`],
  ['as one array', json(events)],
  ['as one printed array', json(events, 2)],
  ['as an array after a byte-order mark', `\ufeff${json(events, 2)}`],
  ['printed one after another', events.map((event) => json(event, 2)).join('\n')],
  ['glued together', events.map((event) => json(event)).join('')],
  ['glued together, printed', events.map((event) => json(event, 2)).join('')],
  ['compressed', gzipSync(ndjson)],
  ['compressed in several members', Buffer.concat(events.map((event) => gzipSync(`${json(event)}\n`)))],
])('events are read %s', async (_, content) => {
  const lineage = await read(content);
  expect(lineage.skipped).toEqual([]);
  expect(lineage.events).toBe(events.length);
  expect(lines(lineage.edges)).toEqual(expected);
});

test('a truncated last line is reported with its place, and the rest is kept', async () => {
  const lineage = await read(ndjson.slice(0, -40));
  expect(lineage.events).toBe(events.length - 1);
  expect(lineage.skipped).toEqual([
    {
      file: join(folder, 'events.json'),
      line: 6,
      run: null,
      why: 'the file ends in the middle of a JSON value',
    },
  ]);
});

test('a line that was cut off in the middle of a file costs only itself', async () => {
  const cut = ndjson.split('\n').map((line, at) => (at === 1 ? line.slice(0, 200) : line));
  const lineage = await read(cut.join('\n'));
  expect(lineage.events).toBe(events.length - 1);
  expect(lineage.skipped).toMatchObject([
    { line: 2, why: 'a JSON value is cut off before the next one begins' },
  ]);
});

test('a truncated archive gives what could be unpacked', async () => {
  const packed = gzipSync(ndjson + ' '.repeat(200_000));
  const lineage = await read(packed.subarray(0, packed.length - 20));
  expect(lineage.events).toBeGreaterThanOrEqual(events.length - 1);
  expect(lineage.skipped.map(({ why }) => why)).toContain('the compressed file is cut off or damaged');
});

test.each([
  ['text', 'hello\nworld\nthis is no event', 'not JSON'],
  ['a number', '42', 'not JSON'],
  ['an object that is no event', '{"a": 1}', 'no OpenLineage event: it has no job and no dataset'],
  ['a job of the wrong type', '{"job": 7}', 'no OpenLineage event: job: expected object'],
])('%s is reported once with file and line, and the good events stay', async (_, bad, why) => {
  const lineage = await read(`${ndjson}\n${bad}\n${ndjson}`);
  expect(lineage.events).toBe(2 * events.length);
  expect(lineage.skipped).toEqual([{ file: join(folder, 'events.json'), line: 7, run: null, why }]);
});

test('a facet or dataset of the wrong shape is reported; the rest of its event counts', async () => {
  const event = {
    job: { namespace: 'n', name: 'j' },
    inputs: [{ namespace: 'lake' }, { namespace: 'lake', name: 's.u' }],
    outputs: [
      {
        namespace: 'lake',
        name: 'm.t',
        facets: {
          columnLineage: { fields: { a: { inputFields: 'none' }, b: { inputFields: [{ name: 's.u' }] } } },
        },
      },
      {
        namespace: 'lake',
        name: 'm.v',
        facets: { columnLineage: { fields: [], _schemaURL: 'https://x/9-9-9' } },
      },
    ],
  };
  const { edges, skipped } = await readLineage({ from: [[event]] });
  expect(skipped.map(({ why }) => why)).toEqual([
    'inputs[0] is no dataset: name: expected string',
    'columnLineage.fields: an entry has no list of inputFields',
    'columnLineage.fields: an input field lacks its name or field',
    'columnLineage.fields is no object',
  ]);
  // A facet that says less than it should says nothing: every input may have given anything.
  expect(lines(edges)).toEqual(['s.u.* -> m.t.* unknown', 's.u.* -> m.v.* unknown']);
});

test('an event without a job, a run without an id and a dataset without a namespace are kept and reported', async () => {
  const inputs = [{ name: 's.u' }];
  const outputs = [{ namespace: 'lake', name: 'm.t' }];
  const events = [
    { inputs, outputs },
    { run: {}, job: { namespace: 'n', name: 'j' }, inputs, outputs },
  ];
  const { edges, skipped } = await readLineage({ from: [events] });
  expect(lines(edges)).toEqual(['s.u.* -> m.t.* unknown', 's.u.* -> m.t.* unknown']);
  expect(skipped.map(({ why }) => why)).toEqual([
    'the event names no job; its datasets were read',
    'inputs[0] has no namespace; it was read by its name',
    'the run has no id; it was read as one of its job',
    'inputs[0] has no namespace; it was read by its name',
  ]);
});

test('a deleted facet is none, and keys named like an object’s own are only keys', async () => {
  const facet = { fields: { __proto__: { inputFields: [] } }, _deleted: true };
  const event = {
    job: { namespace: 'n', name: 'j' },
    inputs: [{ namespace: 'lake', name: 's.u' }],
    outputs: [{ namespace: 'lake', name: 'm.t', facets: { columnLineage: facet, constructor: 1 } }],
  };
  expect(lines((await readLineage({ from: [[event]] })).edges)).toEqual(['s.u.* -> m.t.* unknown']);
});

test('a folder is read at any depth, without markers of engines; nothing there is an error', async () => {
  const deep = join(folder, 'deep');
  await mkdir(join(deep, '2026/09'), { recursive: true });
  for (const [at, event] of events.entries())
    await writeFile(join(deep, `2026/09/${at}.json`), json(event, 2));
  await writeFile(join(deep, '_SUCCESS'), 'x');
  await writeFile(join(deep, '.hidden'), 'x');
  const lineage = await readBothWays({ from: [deep], storage: localStorage() });
  expect(lines(lineage.edges)).toEqual(expected);
  expect(lineage.skipped).toEqual([]);
  await mkdir(join(folder, 'empty'));
  const empty = readLineage({ from: [join(folder, 'empty')], storage: localStorage() });
  await expect(empty).rejects.toMatchObject({ code: 'lineage/not-found' });
  await expect(readLineage({ from: ['anything'] })).rejects.toMatchObject({ code: 'lineage/no-storage' });
});

test('a stream, an iterator and an array give the same', async () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const byte of Buffer.from(ndjson)) yield Uint8Array.of(byte);
  }
  async function* values(): AsyncGenerator<unknown> {
    yield* events;
  }
  for (const source of [{ name: '-', bytes: bytes() }, values(), events])
    expect(lines((await readLineage({ from: [source] })).edges)).toEqual(expected);
});

test('any split of the bytes, and any of the written forms, read alike', async () => {
  const forms = [ndjson, json(events, 1), events.map((event) => json(event, 1)).join('')];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...forms),
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 40 }),
      async (text, sizes) => {
        const all = Buffer.from(text);
        async function* bytes(): AsyncGenerator<Uint8Array> {
          for (let at = 0, turn = 0; at < all.length; turn++) {
            const size = sizes[turn % sizes.length]!;
            yield all.subarray(at, at + size);
            at += size;
          }
        }
        const lineage = await readBothWays({
          from: [{ name: 'split', bytes: { [Symbol.asyncIterator]: bytes } }],
        });
        expect(lineage.skipped).toEqual([]);
        expect(lines(lineage.edges)).toEqual(expected);
      },
    ),
    { seed: 11, numRuns: 60 },
  );
});
