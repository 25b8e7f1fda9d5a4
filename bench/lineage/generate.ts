import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** A column as events name it: namespace, dataset, field. */
export type Seed = readonly [namespace: string, name: string, column: string];

const [COLUMNS, SINGLE, DOUBLE, SEEDS] = [90, 80, 10, 200];
const NAMESPACE = 'iceberg://lake';
const PRODUCER = 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/spark';
const SPEC = 'https://openlineage.io/spec';

/**
 * Writes one event for each of `jobs` jobs, with 100 column edges: 80 columns from one column and 10 from two, of up to three
 * tables, mostly recent ones. The same from the same seed. The first 5 % of the tables are sources.
 */
export async function writeEvents(file: string, jobs: number): Promise<void> {
  const sources = sourcesOf(jobs);
  const random = mulberry(4);
  const below = (limit: number): number => Math.floor(random() * limit);
  const out = createWriteStream(file);
  for (let job = 0; job < jobs; job += 1) {
    const latest = sources + job;
    const recent = (): number => latest - 1 - below(Math.min(500, latest));
    const inputs = [...new Set([recent(), recent(), below(sources)])].sort((a, b) => a - b);
    const source = (): object => ({
      namespace: NAMESPACE,
      name: tableName(inputs[below(inputs.length)]!),
      // Low columns, such as ids, are copied most.
      field: columnName(Math.floor(COLUMNS * random() ** 2)),
      transformations: [{ type: 'DIRECT', subtype: 'IDENTITY', description: '', masking: false }],
    });
    const fields = Object.fromEntries(
      Array.from({ length: SINGLE + DOUBLE }, (_, column) => [
        columnName(column),
        {
          inputFields: column < SINGLE ? [source()] : [source(), source()],
          transformationDescription: '',
          transformationType: '',
        },
      ]),
    );
    if (!out.write(`${JSON.stringify(eventOf({ job, inputs, output: latest, fields }))}\n`))
      await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

/** The columns that the person's values begin in. */
export function seedsOf(jobs: number): readonly Seed[] {
  const sources = sourcesOf(jobs);
  const each = Math.ceil(SEEDS / sources);
  const all = Array.from(
    { length: sources * each },
    (_, at): Seed => [NAMESPACE, tableName(Math.floor(at / each)), columnName(at % each)],
  );
  return all.slice(0, SEEDS);
}

interface Job {
  readonly job: number;
  readonly inputs: readonly number[];
  readonly output: number;
  readonly fields: object;
}

function eventOf({ job, inputs, output, fields }: Job): object {
  const facet = (name: string): object => ({
    _producer: PRODUCER,
    _schemaURL: `${SPEC}/facets/${name}.json`,
  });
  const schema = Array.from({ length: COLUMNS }, (_, at) => ({ name: columnName(at), type: 'string' }));
  return {
    eventTime: '2026-10-01T00:00:00.000Z',
    eventType: 'COMPLETE',
    producer: PRODUCER,
    schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
    run: { runId: `00000000-0000-4000-8000-${String(job).padStart(12, '0')}`, facets: {} },
    job: { namespace: 'spark', name: `job_${String(job).padStart(6, '0')}`, facets: {} },
    inputs: inputs.map((table) => ({ namespace: NAMESPACE, name: tableName(table), facets: {} })),
    outputs: [
      {
        namespace: NAMESPACE,
        name: tableName(output),
        facets: {
          schema: { ...facet('1-1-1/SchemaDatasetFacet'), fields: schema },
          columnLineage: { ...facet('1-2-0/ColumnLineageDatasetFacet'), fields },
        },
      },
    ],
  };
}

function sourcesOf(jobs: number): number {
  return Math.max(4, Math.floor(jobs / 20));
}

function tableName(table: number): string {
  return `warehouse.layer${table % 7}.table_${String(table).padStart(6, '0')}`;
}

function columnName(column: number): string {
  return `column_${String(column).padStart(3, '0')}`;
}

/** A small generator of random numbers that gives the same from the same seed. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
