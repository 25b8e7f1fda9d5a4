import * as z from 'zod';
import { isObject } from '../../values/is-object.ts';
import { instantOf } from './instant.ts';
import { futureVersion } from './schema-version.ts';

/** Facets by name, as they came: their shapes are checked where they are read. */
export type Facets = Readonly<Record<string, unknown>>;

/** A dataset as an event names it. */
export interface EventDataset {
  readonly namespace: string;
  readonly name: string;
  readonly facets: Facets;
  readonly outputFacets: Facets;
}

export type RunState = 'START' | 'RUNNING' | 'COMPLETE' | 'ABORT' | 'FAIL' | 'OTHER';

/** One OpenLineage event of any of its three kinds, told apart by what it has and never by its `schemaURL`. */
export interface LineageEvent {
  readonly kind: 'run' | 'job' | 'dataset';
  /** Null where the event says none, or nothing that can be read. */
  readonly time: number | null;
  readonly state: RunState | null;
  readonly runId: string | null;
  readonly runFacets: Facets;
  readonly job: { readonly namespace: string; readonly name: string; readonly facets: Facets } | null;
  readonly producer: string;
  readonly inputs: readonly EventDataset[];
  readonly outputs: readonly EventDataset[];
}

/** Only looked at: a schema of what is in them would copy them, and they are nearly all that an event is. */
const facets = z.custom<Facets | null | undefined>(isFacets, { error: 'expected an object' }).optional();
const name = z.string().nullish();
const dataset = z.object({ namespace: name, name: z.string(), facets, outputFacets: facets });
const datasets = z
  .custom<readonly unknown[] | null | undefined>(isList, { error: 'expected a list' })
  .optional();

const envelope = z.object({
  eventTime: name,
  eventType: name,
  producer: name,
  schemaURL: z.unknown().optional(),
  run: z.object({ runId: name, facets }).nullish(),
  job: z.object({ namespace: name, name, facets }).nullish(),
  dataset: z.unknown().optional(),
  inputs: datasets,
  outputs: datasets,
});

/** The model of OpenLineage's core schema that is known. */
const KNOWN_MODEL = 2;

const states: ReadonlySet<string> = new Set(['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER']);

/**
 * Reads one parsed JSON value as an event. Extra keys are no fault; a wrong shape is passed to `fault`, and what is good of
 * the event is kept: an edge that is lost is a person who is missed. Null where nothing is good.
 */
export function readEvent(value: unknown, fault: (why: string) => void): LineageEvent | null {
  if (!isEnvelope(value)) {
    fault(`no OpenLineage event: ${explain(envelope, value)}`);
    return null;
  }
  const { run, job, inputs, outputs } = value;
  const kind = job != null || inputs != null || outputs != null ? (run == null ? 'job' : 'run') : 'dataset';
  if (kind === 'dataset' && value.dataset == null) {
    fault('no OpenLineage event: it has no job and no dataset');
    return null;
  }
  const future = futureVersion(value.schemaURL, KNOWN_MODEL);
  if (future !== null)
    fault(`it follows version ${future} of OpenLineage, which is not known; it was read as 2`);
  if (kind !== 'dataset' && job?.name == null) fault('the event names no job; its datasets were read');
  if (kind === 'run' && run?.runId == null) fault('the run has no id; it was read as one of its job');
  const state = value.eventType?.toUpperCase() ?? null;
  return {
    kind,
    time: value.eventTime == null ? null : instantOf(value.eventTime),
    state: state !== null && states.has(state) ? (state as RunState) : null,
    runId: run?.runId ?? null,
    runFacets: run?.facets ?? {},
    job:
      kind === 'dataset'
        ? null
        : { namespace: job?.namespace ?? '', name: job?.name ?? '', facets: job?.facets ?? {} },
    producer: value.producer ?? '',
    inputs: kind === 'dataset' ? [] : readDatasets(inputs ?? [], 'inputs', fault),
    outputs:
      kind === 'dataset'
        ? readDatasets([value.dataset], 'dataset', fault)
        : readDatasets(outputs ?? [], 'outputs', fault),
  };
}

function readDatasets(
  values: readonly unknown[],
  where: string,
  fault: (why: string) => void,
): readonly EventDataset[] {
  const read: EventDataset[] = [];
  for (const [index, value] of values.entries()) {
    if (isDataset(value)) {
      const { namespace, name: own, facets: all, outputFacets } = value;
      if (namespace == null) fault(`${where}[${index}] has no namespace; it was read by its name`);
      read.push({
        namespace: namespace ?? '',
        name: own,
        facets: all ?? {},
        outputFacets: outputFacets ?? {},
      });
    } else fault(`${where}[${index}] is no dataset: ${explain(dataset, value)}`);
  }
  return read;
}

type Envelope = z.infer<typeof envelope>;
type Dataset = z.infer<typeof dataset>;

/**
 * Whether the schema takes a value. By hand, because every dataset of every event is asked, and a schema makes many objects for an
 * answer; it says what is wrong where this says no.
 */
function isEnvelope(value: unknown): value is Envelope {
  if (!isObject(value)) return false;
  const { run, job } = value;
  return (
    isText(value.eventTime) &&
    isText(value.eventType) &&
    isText(value.producer) &&
    (run == null || (isObject(run) && isText(run.runId) && isFacets(run.facets))) &&
    (job == null || (isObject(job) && isText(job.namespace) && isText(job.name) && isFacets(job.facets))) &&
    isList(value.inputs) &&
    isList(value.outputs)
  );
}

/** The same for a dataset. */
function isDataset(value: unknown): value is Dataset {
  return (
    isObject(value) &&
    isText(value.namespace) &&
    typeof value.name === 'string' &&
    isFacets(value.facets) &&
    isFacets(value.outputFacets)
  );
}

function isText(value: unknown): boolean {
  return value == null || typeof value === 'string';
}

function isFacets(value: unknown): boolean {
  return value == null || isObject(value);
}

function isList(value: unknown): boolean {
  return value == null || Array.isArray(value);
}

/** The first thing that is wrong, with its path. Values are left out: they may be anybody's. */
function explain(schema: z.ZodType, value: unknown): string {
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) return 'its shape is wrong';
  const path = issue.path.map(String).join('.');
  const wanted = issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.message;
  return path === '' ? wanted : `${path}: ${wanted}`;
}

/** A facet by its name, unless it is absent, no object, or deleted (`_deleted: true`). */
export function facetOf(all: Facets, name: string): Facets | null {
  const facet = all[name];
  if (typeof facet !== 'object' || facet === null || Array.isArray(facet)) return null;
  return (facet as Facets)._deleted === true ? null : (facet as Facets);
}

/** A text field of a facet. */
export function textOf(facet: Facets | null, field: string): string | null {
  const value = facet?.[field];
  return typeof value === 'string' ? value : null;
}
