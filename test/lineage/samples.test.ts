import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readLineage } from '../../src/lineage/index.ts';
import { sharedPath, sharedReason } from '../support/shared.ts';
import { readBothWays } from './support.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/openlineage');
const shared = sharedPath('samples', 'openlineage');

interface Sample {
  readonly name: string;
  readonly text: string;
}

function samplesUnder(folder: string, wanted: (path: string) => boolean): readonly Sample[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(nd)?json(\.gz)?$/.test(path) && !/truth|TRUTH/.test(path) && wanted(path))
    .sort()
    .map((path) => {
      const bytes = readFileSync(join(folder, path));
      const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
      return { name: relative('.', path), text };
    });
}

type Json = Readonly<Record<string, unknown>>;
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};

/** What a file says, counted over its JSON in the plainest way. */
interface Counted {
  readonly events: number;
  /** Events that name an output, and events that name both an input and an output, or have lineage of another kind. */
  readonly writing: number;
  readonly making: number;
  readonly datasets: ReadonlySet<string>;
  /** `namespace name field|namespace name column|role`; a column of null is the whole. */
  readonly pairs: ReadonlySet<string>;
}

function count(text: string): Counted {
  const values =
    text.trimStart().startsWith('{"') && text.trimEnd().includes('\n{') ? text.trimEnd().split('\n') : [text];
  const events = values.flatMap((value) => {
    const parsed = JSON.parse(value) as Json | Json[];
    return Array.isArray(parsed) ? parsed : [parsed];
  });
  const datasets = new Set<string>();
  const pairs = new Set<string>();
  let [read, writing, making] = [0, 0, 0];
  for (const event of events) {
    if (['job', 'dataset', 'inputs', 'outputs'].every((key) => event[key] === undefined)) continue;
    read += 1;
    if (listOf(event.outputs).length > 0) writing += 1;
    if (/"(lineage|columnLineage)":|"RENAME"/.test(JSON.stringify(event))) making += 1;
    else if (listOf(event.inputs).length > 0 && listOf(event.outputs).length > 0) making += 1;
    const alone = event.job === undefined && event.inputs === undefined && event.outputs === undefined;
    const outputs = alone ? listOf([event.dataset]) : listOf(event.outputs);
    for (const each of [...listOf(event.inputs), ...outputs])
      datasets.add(`${each.namespace ?? ''} ${each.name}`);
    for (const output of outputs) {
      const facet = objectOf(objectOf(output.facets).columnLineage);
      const take = (input: Json, column: string | null, legacy?: unknown) => {
        datasets.add(`${input.namespace ?? ''} ${input.name}`);
        const how = listOf(input.transformations);
        const roles =
          how.length === 0
            ? [legacy === 'IDENTITY' ? 'identity' : legacy === 'MASKED' ? 'transformation-masked' : 'unknown']
            : how.map(roleOf);
        for (const role of roles)
          pairs.add(
            JSON.stringify([
              input.namespace,
              input.name,
              input.field,
              output.namespace,
              output.name,
              column,
              role,
            ]),
          );
      };
      for (const [column, field] of Object.entries(objectOf(facet.fields)))
        for (const input of listOf(objectOf(field).inputFields))
          take(input, column, objectOf(field).transformationType);
      for (const input of listOf(facet.dataset)) take(input, null);
    }
  }
  return { events: read, writing, making, datasets, pairs };
}

/** What a file holds, in one line of the table beside this test. */
function rowOf({ events, writing, making, datasets, pairs }: Counted): string {
  if (events === 0) return 'no event';
  const split = [...pairs].map((pair) => JSON.parse(pair) as (string | null)[]);
  const columns = new Set(
    split
      .flatMap(([space, name, field, toSpace, toName, column]) => [
        [space, name, field],
        [toSpace, toName, column],
      ])
      .filter(([, , column]) => column !== null && column !== undefined)
      .map((column) => JSON.stringify(column)),
  );
  const roles = new Map<string, number>();
  for (const pair of split) roles.set(pair[6]!, (roles.get(pair[6]!) ?? 0) + 1);
  const counts = [...roles].sort().map(([role, edges]) => `${edges} ${role}`);
  const without =
    making > 0 ? 'tables only' : writing > 0 ? 'none: no input is named' : 'none: no output is named';
  return `${events} events, ${datasets.size} datasets, ${columns.size} columns; ${counts.join(', ') || without}`;
}

function roleOf({ type, subtype, masking }: Json): string {
  const name = String(subtype).toLowerCase().replace('_', '-');
  if (type === 'INDIRECT') return name;
  if (masking !== true) return name;
  return name === 'aggregation' ? 'aggregation-masked' : 'transformation-masked';
}

// The scenarios of Spark and dbt are among the fixtures, packed; what openlineage-sql printed is no event, and has a test below.
const samples = [
  ...samplesUnder(FIXTURES, () => true),
  ...(shared === null
    ? []
    : samplesUnder(shared, (path) => !/^(spark-1\.53|dbt-ol|openlineage-sql)/.test(path))),
];

/** The table: a file a line, with what {@link count} finds in it. */
const TABLE = join(import.meta.dirname, 'samples.txt');
const pinned = new Map(
  readFileSync(TABLE, 'utf8')
    .trim()
    .split('\n')
    .map((line): [string, string] => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
);

/** Files that hold no event, by design: facets alone, and an example that shows a facet without its event. */
const NO_EVENT = /^spec-tests\/(?!example_full_event)|^explicit-lineage\/03-/;

describe.each(samples)('$name', ({ name, text }) => {
  const counted = count(text);

  test('holds what the table says', () => {
    expect(rowOf(counted)).toBe(pinned.get(name));
  });

  test('is read without loss, and nothing is made up', async () => {
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text);
    };
    const lineage = await readBothWays({ from: [{ name, bytes: { [Symbol.asyncIterator]: bytes } }] });
    expect(lineage.events).toBe(counted.events);
    if (lineage.events === 0) {
      expect(name).toMatch(NO_EVENT);
      expect(lineage.skipped.length).toBeGreaterThan(0);
      return;
    }
    const known = lineage.datasets.filter(({ by }) => by !== 'job');
    const names = new Map(
      known.map(({ namespace, name: own, table }) => [`${namespace} ${own}`, table ?? `${namespace} ${own}`]),
    );
    for (const dataset of counted.datasets) expect([...names.keys()]).toContain(dataset);
    const edges = new Set(
      lineage.edges.flatMap(({ from, to, roles }) =>
        roles.map((role) => [from.table, from.column, to.table, to.column, role].join('|')),
      ),
    );
    const lost = [...counted.pairs].filter((pair) => {
      const [fromSpace, fromName, field, toSpace, toName, column, role] = JSON.parse(pair) as string[];
      if (/^_(file|pos|partition|spec_id|deleted)$/.test(field!)) return false;
      const whole =
        column === null && /^(identity|transformation|aggregation)/.test(role!) ? 'unknown' : role;
      const line = [
        names.get(`${fromSpace ?? ''} ${fromName}`),
        field,
        names.get(`${toSpace ?? ''} ${toName}`),
        column ?? '*',
        whole,
      ];
      return !edges.has(line.join('|'));
    });
    expect(lost).toEqual([]);
    // An edge, or the reason why there is none: no event names both what it read and what it wrote.
    expect(lineage.edges.length > 0).toBe(counted.making > 0);
    // Renames and the facet of explicit lineage make edges of their own.
    if (/"lineage":|"RENAME"/.test(text)) return;
    const said = new Set(
      [...counted.pairs].map((pair) => {
        const [fromSpace, fromName, field, toSpace, toName, column] = JSON.parse(pair) as string[];
        const [from, to] = [
          names.get(`${fromSpace ?? ''} ${fromName}`),
          names.get(`${toSpace ?? ''} ${toName}`),
        ];
        return [from, field, to, column ?? '*'].join('|');
      }),
    );
    const invented = lineage.edges.filter(
      ({ from, to, roles }) =>
        roles.some((role) => role !== 'unknown') &&
        !said.has([from.table, from.column, to.table, to.column].join('|')),
    );
    expect(invented).toEqual([]);
  });
});

test.skipIf(shared === null)('what openlineage-sql parsed is no event, and is said to be none', async () => {
  const file = join(shared!, 'openlineage-sql-1.54.0', 'parsed.json');
  const { events, skipped } = await readLineage({
    from: [JSON.parse(readFileSync(file, 'utf8')) as unknown[]],
  });
  expect(events).toBe(0);
  expect(skipped.length).toBeGreaterThan(50);
  expect(new Set(skipped.map(({ why }) => why))).toEqual(
    new Set(['no OpenLineage event: it has no job and no dataset']),
  );
});

test.skipIf(shared === null)(
  `the samples of other projects are among them${shared === null ? ` (${sharedReason('samples', 'openlineage')})` : ''}`,
  () => {
    expect(samples.length).toBeGreaterThan(200);
  },
);
