import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Lineage, readLineage } from '../../../src/lineage/index.ts';
import { EventParser } from '../../../src/lineage/read/scan/event-parser.ts';
import { readLineageBy } from '../../../src/lineage/read-lineage.ts';

/** JSON as text, with whatever a producer may write: keys in any order and more than once, blanks, escapes, wrong types. */
type Json = fc.Arbitrary<string>;

const blank = fc.constantFrom('', '', '', '', ' ', '\t', '  ');
const scalar: Json = fc.constantFrom(
  'null',
  'true',
  '0',
  '-1.5e3',
  '""',
  '"x"',
  '[]',
  '{}',
  '[{"a":[1,"]"]}]',
  '0.',
);

function quoted(texts: readonly string[]): Json {
  return fc
    .tuple(fc.constantFrom(...texts), fc.integer({ min: 0, max: 120 }))
    .map(([text, chance]) =>
      chance === 0
        ? `"${[...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
        : JSON.stringify(text),
    );
}

/** Mostly what is right, at times something else. */
function mostly(right: Json, wrong: Json = scalar): Json {
  return fc.oneof({ weight: 200, arbitrary: right }, { weight: 1, arbitrary: wrong });
}

/** An object of some of these entries; the order is at times another one, and a key at times there twice. */
function object(entries: Readonly<Record<string, Json>>): Json {
  const written = fc.tuple(
    ...Object.entries(entries).map(([key, value]) => fc.tuple(fc.constant(key), value)),
  );
  const some = fc.oneof(
    { weight: 40, arbitrary: written },
    { weight: 1, arbitrary: written.chain((all) => fc.shuffledSubarray(all)) },
    { weight: 1, arbitrary: written.chain((all) => fc.shuffledSubarray([...all, ...all])) },
  );
  return fc
    .tuple(some, blank, blank)
    .map(
      ([all, before, after]) =>
        `{${all.map(([key, value]) => `${before}${JSON.stringify(key)}${after}:${before}${value}`).join(`${after},`)}${after}}`,
    );
}

function list(item: Json): Json {
  return fc
    .tuple(fc.array(item, { maxLength: 3 }), blank)
    .map(([items, between]) => `[${items.join(`,${between}`)}${between}]`);
}

const COLUMNS = [
  'id',
  'name',
  'größe',
  'a.b',
  'fields',
  'schema',
  'columnLineage',
  '_pos',
  'say "x"',
  '\u2028',
  '7',
];
const TABLES = ['m.t', 'm.u', 's.ü', 'm.t\\'];
const transformation = object({
  type: quoted(['DIRECT', 'INDIRECT']),
  subtype: quoted(['IDENTITY', 'TRANSFORMATION', 'JOIN', 'FILTER']),
  description: quoted(['', 'a "b" ]}', 'x\ny']),
  masking: fc.constantFrom('true', 'false'),
});
const input = object({
  namespace: mostly(quoted(['lake', 'läke'])),
  name: mostly(quoted(TABLES)),
  field: mostly(quoted(COLUMNS)),
  transformations: mostly(list(mostly(transformation))),
});
const field = object({
  inputFields: mostly(list(mostly(input))),
  transformationDescription: mostly(quoted(['', 'x "y" }'])),
  transformationType: mostly(quoted(['', 'IDENTITY', 'MASKED'])),
});
const column = fc.tuple(fc.constantFrom(...COLUMNS), mostly(field));
const fields: Json = fc
  .oneof(
    {
      weight: 20,
      arbitrary: fc.uniqueArray(column, { minLength: 2, maxLength: 8, selector: ([name]) => name }),
    },
    { weight: 1, arbitrary: fc.array(column, { maxLength: 8 }) },
  )
  .map((all) => `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);
const columnLineage = object({
  _producer: quoted(['x', '"columnLineage":{"fields":{}}']),
  _schemaURL: quoted(['https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json']),
  fields: mostly(fields),
  dataset: mostly(list(mostly(input))),
});
const schema = object({
  _producer: quoted(['x', '"schema":{"fields":[{"name":"no"}]}']),
  fields: mostly(
    list(
      mostly(
        object({
          name: mostly(quoted(COLUMNS)),
          type: mostly(quoted(['int', 'string', 'struct<a: int>'])),
          description: mostly(quoted(['', 'it "is"'])),
          fields: list(object({ name: quoted(COLUMNS) })),
        }),
      ),
    ),
  ),
});
const dataset = object({
  namespace: quoted(['lake']),
  name: mostly(quoted(TABLES)),
  facets: object({ schema: mostly(schema), columnLineage: mostly(columnLineage), other: object({ schema }) }),
});
const event = object({
  eventTime: quoted(['2026-10-01T00:00:00Z', '2026-10-02T00:00:00Z']),
  eventType: quoted(['COMPLETE', 'START']),
  run: object({
    runId: quoted(['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']),
  }),
  job: object({ namespace: quoted(['spark']), name: quoted(['j', 'k']) }),
  inputs: mostly(list(mostly(dataset))),
  outputs: mostly(list(mostly(dataset))),
});
/** At times a letter is lost or another one. */
const line: Json = fc
  .tuple(event, fc.integer({ min: 0, max: 40 }), fc.nat(), fc.constantFrom('', '"', '\\', ',', '}'))
  .map(([text, chance, at, letter]) =>
    chance > 0 ? text : `${text.slice(0, at % text.length)}${letter}${text.slice((at % text.length) + 1)}`,
  );

/** What was read, as plain data without the places of events. */
async function plainly(lineage: Promise<Lineage>): Promise<unknown> {
  const { skipped, writes, retired, ...rest } = await lineage;
  const timeless = (all: Lineage['writes']) => all.map(({ firstAt: _, lastAt: __, ...write }) => write);
  return {
    ...rest,
    writes: timeless(writes),
    retired: timeless(retired),
    why: skipped.map(({ run, why }) => ({ run, why })),
  };
}

function parsed(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

test('events are read from bytes to the same lineage as from what JSON.parse makes of them', async () => {
  let cut = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), async (written) => {
      const lines = written.filter((text) => parsed(text).length > 0);
      const parser = new EventParser(0);
      for (const text of lines)
        if (JSON.stringify(parser.parse(Buffer.from(text))).includes('cut out')) cut += 1;
      const bytes = async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from(lines.join('\n'));
      };
      const fromBytes = await plainly(
        readLineageBy(new EventParser(0), { from: [{ name: 'x', bytes: bytes() }] }),
      );
      const inMemory = await plainly(readLineage({ from: [lines.flatMap(parsed)] }));
      expect(fromBytes).toEqual(inMemory);
    }),
    { seed: 4, numRuns: 120 },
  );
  // Or nothing would have been compared.
  expect(cut).toBeGreaterThan(150);
});

test('a line is JSON for the parser where it is JSON', () => {
  const parser = new EventParser(0);
  fc.assert(
    fc.property(line, (text) => {
      expect(parser.parse(Buffer.from(text)) !== undefined).toBe(parsed(text).length > 0);
    }),
    { seed: 5, numRuns: 300 },
  );
});
