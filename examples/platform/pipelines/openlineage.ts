import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Random } from 'lethe';
import type { Changed, Warehouse } from 'lethe/warehouse';
import type { Pipeline, Source, Use } from './pipeline.ts';

const PRODUCER = 'https://example.com/learning-platform/pipelines/1.0.0';
const SPEC = 'https://openlineage.io/spec';
const NAMESPACE = 'learning-platform';

type Json = Readonly<Record<string, unknown>>;

/** Where the tables and the events are, and where instants and run ids come from. */
export interface Emitting {
  readonly warehouse: Warehouse;
  /** The folder that the catalog's tables are under, an absolute path. */
  readonly tables: string;
  /** The folder that events are appended to, one JSON document per line. */
  readonly events: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Says what one run of a pipeline did, as OpenLineage's own clients do: one event when it starts and one when it ends. */
export interface RunReporter {
  start(): Promise<void>;
  complete(written: Changed): Promise<void>;
  fail(): Promise<void>;
}

/** The reporter of a new run. */
export function reportRun(pipeline: Pipeline, emitting: Emitting): RunReporter {
  const run = { runId: uuid(emitting.random), facets: {} };
  const emit = async (
    eventType: string,
    inputs: readonly Json[],
    outputs: readonly Json[],
  ): Promise<void> => {
    const event = {
      eventType,
      eventTime: new Date(emitting.clock.now()).toISOString(),
      producer: PRODUCER,
      schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
      run,
      job: { namespace: NAMESPACE, name: pipeline.job, facets: { jobType: jobType() } },
      inputs,
      outputs,
    };
    await mkdir(emitting.events, { recursive: true });
    await appendFile(join(emitting.events, 'pipelines.ndjson'), `${JSON.stringify(event)}\n`);
  };
  return {
    start: async () => emit('START', await inputsOf(pipeline, emitting), [dataset(pipeline.table, emitting)]),
    complete: async (written) =>
      emit('COMPLETE', await inputsOf(pipeline, emitting), [outputOf(pipeline, emitting, written)]),
    fail: async () => emit('FAIL', await inputsOf(pipeline, emitting), [dataset(pipeline.table, emitting)]),
  };
}

async function inputsOf(pipeline: Pipeline, emitting: Emitting): Promise<readonly Json[]> {
  return Promise.all(
    pipeline.inputs.map(async (table) => {
      const { columns } = await emitting.warehouse.describe(table);
      return dataset(table, emitting, { schema: schema(columns) });
    }),
  );
}

function outputOf(pipeline: Pipeline, emitting: Emitting, written: Changed): Json {
  const facets = {
    schema: schema(pipeline.columns),
    columnLineage: columnLineage(pipeline, emitting),
    lifecycleStateChange: facet('1-0-1/LifecycleStateChangeDatasetFacet', {
      lifecycleStateChange: pipeline.writes === 'recreate' ? 'CREATE' : 'OVERWRITE',
    }),
    version: facet('1-0-1/DatasetVersionDatasetFacet', { datasetVersion: String(written.snapshotAfter) }),
  };
  const statistics = facet('1-0-2/OutputStatisticsOutputDatasetFacet', {
    rowCount: written.rowsAdded,
    fileCount: written.filesAdded,
  });
  return { ...dataset(pipeline.table, emitting, facets), outputFacets: { outputStatistics: statistics } };
}

/** A table of a directory catalog: its folder is the dataset's own name, the table's name a symlink. */
function dataset(table: string, emitting: Emitting, facets: Json = {}): Json {
  const identifiers = [{ namespace: `file:${emitting.tables}`, name: table, type: 'TABLE' }];
  const symlinks = facet('1-0-1/SymlinksDatasetFacet', { identifiers });
  return { ...datasetName(table, emitting), facets: { ...facets, symlinks } };
}

function datasetName(
  table: string,
  emitting: Emitting,
): { readonly namespace: string; readonly name: string } {
  return { namespace: 'file', name: join(emitting.tables, ...table.split('.')) };
}

function schema(columns: readonly { readonly name: string; readonly type: string }[]): Json {
  return facet('1-2-0/SchemaDatasetFacet', { fields: columns.map(({ name, type }) => ({ name, type })) });
}

function columnLineage({ lineage }: Pipeline, emitting: Emitting): Json {
  const inputField = ([column, ...how]: Source): Json => {
    const split = column.lastIndexOf('.');
    return {
      ...datasetName(column.slice(0, split), emitting),
      field: column.slice(split + 1),
      transformations: how.map(transformation),
    };
  };
  const fields = Object.entries(lineage.columns).map(([name, sources]) => [
    name,
    { inputFields: sources.map(inputField) },
  ]);
  return facet('1-2-0/ColumnLineageDatasetFacet', {
    fields: Object.fromEntries(fields),
    dataset: lineage.rows.map(inputField),
  });
}

/** A count hides the values that it counts: the only aggregation here that masks. */
function transformation(use: Use): Json {
  const direct = use === 'IDENTITY' || use === 'TRANSFORMATION' || use === 'AGGREGATION' || use === 'COUNT';
  return {
    type: direct ? 'DIRECT' : 'INDIRECT',
    subtype: use === 'COUNT' ? 'AGGREGATION' : use,
    description: '',
    masking: use === 'COUNT',
  };
}

function jobType(): Json {
  return facet('2-0-4/JobTypeJobFacet', {
    processingType: 'BATCH',
    integration: 'LEARNING_PLATFORM',
    jobType: 'JOB',
  });
}

function facet(name: string, fields: Json): Json {
  return { _producer: PRODUCER, _schemaURL: `${SPEC}/facets/${name}.json`, ...fields };
}

/** A random UUID (version 4), as run ids are. */
function uuid(random: Random): string {
  const bytes = Uint8Array.from(random.bytes(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
