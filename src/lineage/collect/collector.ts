import type { EventPlace } from '../lineage.ts';
import { producerOf, sqlOf } from '../producers.ts';
import { readColumnLineage } from '../read/column-lineage.ts';
import { type EventDataset, facetOf, type LineageEvent, textOf } from '../read/event.ts';
import {
  type Endpoint,
  type LineageEntry,
  readDatasetLineage,
  readJobLineage,
} from '../read/lineage-facet.ts';
import type { Cut, EventParser } from '../read/scan/event-parser.ts';
import { reportFuture } from '../read/schema-version.ts';
import { DatasetNotes } from './dataset-notes.ts';
import { EdgeSets } from './edge-sets.ts';
import { Interner } from './interner.ts';
import { NumberSets } from './number-sets.ts';
import type { Run, RunOutput } from './run.ts';
import { ScannedTexts } from './scanned-texts.ts';
import { Schemas } from './schemas.ts';
import { Statements } from './statements.ts';

/** Stands before the namespace of a job that passes data on without a dataset in between. */
export const JOB_NAMESPACE = 'job:';

/** From so many outputs on they are looked up in a map. */
const WIDE = 32;

/** Facets of a dataset of which a newer model is reported; `columnLineage` is where it is read. */
const DATASET_FACETS = ['schema', 'symlinks', 'lineage', 'lifecycleStateChange'] as const;

const NO_CHANGES: readonly string[] = [];

/** Takes events in any order, with duplicates, and keeps what they say, run by run. */
export class Collector {
  readonly interner = new Interner();
  readonly sets = new EdgeSets();
  readonly notes = new DatasetNotes();
  readonly schemas = new Schemas(this.interner.columnNames);
  readonly runs: Run[] = [];
  readonly jobs: { readonly namespace: string; readonly name: string }[] = [];
  events = 0;
  /** Where the event that is being added stands. */
  place: EventPlace | null = null;
  readonly #jobs = new Map<string, number>();
  readonly #runs = new Map<string, Run>();
  /** The outputs of runs that have very many, by dataset. */
  readonly #wide = new Map<Run, Map<number, RunOutput>>();
  readonly #numbers = new NumberSets();
  readonly #statements = new Statements();
  readonly #parser: EventParser;
  readonly #texts: ScannedTexts;

  /** `parser` is what cuts long parts out of the events that are added. */
  constructor(parser: EventParser) {
    this.#parser = parser;
    this.#texts = new ScannedTexts(parser.texts.texts, this.interner);
  }

  /** Takes one event. What is wrong in it goes to `fault`; what is right is kept. */
  add(event: LineageEvent, fault: (why: string) => void): void {
    this.events += 1;
    const run = this.#runOf(event);
    this.#note(run, event);
    const self: Endpoint = {
      kind: 'job',
      namespace: event.job?.namespace ?? '',
      name: event.job?.name ?? '',
    };
    const explicit = event.job === null ? null : facetOf(event.job.facets, 'lineage');
    if (explicit !== null) reportFuture({ lineage: explicit }, ['lineage'], fault);
    if (event.inputs.length > 0) this.#inputs(run, event.inputs, fault);
    for (const output of event.outputs) this.#output(run, event, output, explicit !== null, self, fault);
    if (explicit !== null)
      for (const entry of readJobLineage(explicit, self, fault)) this.#entry(run, event, entry);
  }

  #inputs(run: Run, named: readonly EventDataset[], fault: (why: string) => void): void {
    const inputs = named.map((input) => this.#dataset(input, fault));
    run.inputs = this.#numbers.union(run.inputs, this.#numbers.of(inputs));
    if (new Set(inputs).size === inputs.length) return;
    const repeated = inputs.filter((dataset, at) => inputs.indexOf(dataset) !== at);
    run.repeated = this.#numbers.union(run.repeated, this.#numbers.of(repeated));
  }

  #output(
    run: Run,
    event: LineageEvent,
    output: EventDataset,
    explicit: boolean,
    self: Endpoint,
    fault: (why: string) => void,
  ): void {
    const dataset = this.#dataset(output, fault);
    const own = facetOf(output.facets, 'lineage');
    // A dataset event describes a dataset; only with lineage of its own does it say how that was made.
    const columns = facetOf(output.facets, 'columnLineage');
    const change = facetOf(output.facets, 'lifecycleStateChange');
    if (event.kind === 'dataset' && own === null && columns === null && change === null) return;
    const taken = this.#outputOf(run, dataset, event, output);
    if (own !== null) this.#entry(run, event, readDatasetLineage(own, output, self, fault));
    else if (columns !== null && !explicit) {
      const sources: number[] = [];
      this.sets.begin();
      const spoken = readColumnLineage(columns, {
        sink: (to, namespace, name, field, roles) => {
          const from = this.interner.dataset(namespace, name);
          if (sources.at(-1) !== from) sources.push(from);
          this.#edge(from, field, dataset, to, roles);
        },
        cut: (fields) => {
          const cut = this.#parser.cutAt(fields);
          if (cut?.of !== 'columnLineage') return false;
          this.#cutEdges(cut, dataset, sources);
          return true;
        },
        fault,
      });
      this.#take(taken, sources);
      if (spoken) taken.spoken = true;
    }
    const previous = facetOf(change ?? {}, 'previousIdentifier');
    const before = { namespace: textOf(previous, 'namespace'), name: textOf(previous, 'name') };
    if (
      before.namespace !== null &&
      before.name !== null &&
      textOf(change, 'lifecycleStateChange') === 'RENAME'
    )
      this.notes.rename(this.interner.dataset(before.namespace, before.name), dataset);
  }

  /** Adds the edges of a facet that has ended, and the datasets that they come from. */
  #take(taken: RunOutput, sources: readonly number[]): void {
    if (taken.sets === this.#numbers.none) taken.at = this.place;
    taken.sets = this.#numbers.union(taken.sets, this.#numbers.of([this.sets.end()]));
    taken.inputs = this.#numbers.union(taken.inputs, this.#numbers.of(sources));
  }

  /** The edges that were cut out of a `columnLineage` facet of `output`; the datasets that they come from go to `sources`. */
  #cutEdges({ begin, end }: Cut, output: number, sources: number[]): void {
    const { columns, namespaces, names, fields, roles } = this.#parser.lineage;
    const { interner, sets } = this;
    const texts = this.#texts;
    let [input, written, to] = [-1, -1, -1];
    for (let at = begin; at < end; at++) {
      const from = texts.dataset(namespaces[at]!, names[at]!);
      if (from !== input) {
        input = from;
        if (!sources.includes(from)) sources.push(from);
      }
      const source = interner.columnNamed(from, texts.columnName(fields[at]!));
      if (columns[at] !== written) {
        written = columns[at]!;
        to = interner.columnNamed(output, texts.columnName(written));
      }
      if (source >= 0 && to >= 0) sets.add(source, to, roles[at]!);
    }
  }

  /** An entry of the `lineage` facet: it says which inputs there are, so nothing else is concluded from the event. */
  #entry(run: Run, event: LineageEvent, entry: LineageEntry): void {
    const to = this.#endpoint(entry.to);
    const taken = this.#outputOf(run, to, event, null);
    const sources: number[] = [];
    this.sets.begin();
    for (const source of entry.sources) {
      const from = this.#endpoint(source.from);
      sources.push(from);
      this.#edge(from, source.field, to, source.column, source.roles);
    }
    this.#take(taken, sources);
    if (entry.closed) {
      taken.spoken = true;
      taken.closed = true;
    }
  }

  #edge(
    fromDataset: number,
    field: string | null,
    toDataset: number,
    column: string | null,
    roles: number,
  ): void {
    const { interner } = this;
    const from = field === null ? interner.wholes[fromDataset]! : interner.column(fromDataset, field);
    const to = column === null ? interner.wholes[toDataset]! : interner.column(toDataset, column);
    if (from >= 0 && to >= 0) this.sets.add(from, to, roles);
  }

  #outputOf(run: Run, dataset: number, event: LineageEvent, output: EventDataset | null): RunOutput {
    const change = output === null ? null : facetOf(output.facets, 'lifecycleStateChange');
    const lifecycle = textOf(change, 'lifecycleStateChange');
    const config = output === null ? null : facetOf(facetOf(output.facets, 'dbt_model') ?? {}, 'config');
    const statement = this.#statements.of(event, lifecycle, textOf(config, 'materialized'));
    let taken = this.#outputIn(run, dataset);
    if (taken === undefined) {
      taken = {
        dataset,
        sets: this.#numbers.none,
        spoken: false,
        closed: false,
        inputs: this.#numbers.none,
        lifecycle: NO_CHANGES,
        statistics: false,
        statement,
        at: this.place,
      };
      run.outputs.push(taken);
      this.#wide.get(run)?.set(dataset, taken);
    } else taken.statement = this.#statements.strongest(taken.statement, statement);
    if (lifecycle !== null && !taken.lifecycle.includes(lifecycle))
      taken.lifecycle = [...taken.lifecycle, lifecycle];
    if (output !== null && facetOf(output.outputFacets, 'outputStatistics') !== null) taken.statistics = true;
    return taken;
  }

  #outputIn(run: Run, dataset: number): RunOutput | undefined {
    const { outputs } = run;
    if (outputs.length < WIDE) return outputs.find((output) => output.dataset === dataset);
    let byDataset = this.#wide.get(run);
    if (byDataset === undefined) {
      byDataset = new Map(outputs.map((output) => [output.dataset, output]));
      this.#wide.set(run, byDataset);
    }
    return byDataset.get(dataset);
  }

  #dataset(named: EventDataset, fault: (why: string) => void): number {
    reportFuture(named.facets, DATASET_FACETS, fault);
    const dataset = this.interner.dataset(named.namespace, named.name);
    this.notes.take(dataset, named, this.place);
    const fields = facetOf(named.facets, 'schema')?.fields;
    if (Array.isArray(fields)) this.schemas.take(dataset, fields);
    const cut = this.#parser.cutAt(fields);
    if (cut?.of === 'schema')
      this.schemas.takeScanned(dataset, { ...cut, scan: this.#parser.schemas, texts: this.#texts });
    return dataset;
  }

  #endpoint({ kind, namespace, name }: Endpoint): number {
    return this.interner.dataset(kind === 'job' ? JOB_NAMESPACE + namespace : namespace, name);
  }

  #runOf(event: LineageEvent): Run {
    const job = this.#job(event.job?.namespace ?? '', event.job?.name ?? '');
    const key = event.runId === null ? `${job}` : `${job} ${event.runId}`;
    let run = this.#runs.get(key);
    if (run === undefined) {
      run = {
        id: event.runId,
        job,
        parentRun: null,
        parentJob: -1,
        producer: producerOf(event.producer),
        start: null,
        end: null,
        completed: false,
        failed: false,
        incomplete: false,
        sql: null,
        inputs: this.#numbers.none,
        repeated: this.#numbers.none,
        outputs: [],
      };
      this.#runs.set(key, run);
      this.runs.push(run);
    }
    return run;
  }

  #note(run: Run, event: LineageEvent): void {
    if (event.time !== null) {
      run.start = run.start === null ? event.time : Math.min(run.start, event.time);
      run.end = run.end === null ? event.time : Math.max(run.end, event.time);
    }
    if (event.state === 'COMPLETE' || event.kind !== 'run') run.completed = true;
    if (event.state === 'FAIL' || event.state === 'ABORT') run.failed = true;
    if (run.sql === null) run.sql = this.#statements.text(sqlOf(event));
    const extraction = facetOf(event.runFacets, 'extractionError');
    if (extraction !== null) run.incomplete = true;
    const parent = facetOf(event.runFacets, 'parent') ?? facetOf(event.runFacets, 'parentRun');
    if (parent === null) return;
    run.parentRun ??= textOf(facetOf(parent, 'run'), 'runId');
    const job = facetOf(parent, 'job');
    const namespace = textOf(job, 'namespace');
    const name = textOf(job, 'name');
    if (run.parentJob < 0 && namespace !== null && name !== null) run.parentJob = this.#job(namespace, name);
  }

  #job(namespace: string, name: string): number {
    const key = `${namespace}\n${name}`;
    let job = this.#jobs.get(key);
    if (job === undefined) {
      job = this.jobs.length;
      this.#jobs.set(key, job);
      this.jobs.push({ namespace, name });
    }
    return job;
  }
}
