import type { LineageNames } from '../../governance/governance.ts';
import type { Collector } from '../collect/collector.ts';
import { WHOLE } from '../collect/interner.ts';
import type { Run } from '../collect/run.ts';
import type { DatasetSchemas } from '../collect/schemas.ts';
import { groupBy } from '../group.ts';
import type {
  Dataset,
  EventPlace,
  Lineage,
  LineageJob,
  LineageTable,
  Read,
  Skipped,
  Write,
} from '../lineage.ts';
import { mapDatasets } from '../names/map-datasets.ts';
import { ROLE } from '../roles.ts';
import { EdgeUnion } from './edge-union.ts';
import { edgesOf } from './edges.ts';
import { type Emptied, emptiedBy, liveWrites, retiredWrites } from './retire.ts';
import type { Said } from './said.ts';
import { statementsOf } from './statements.ts';
import { indexTables, type TableIndex } from './table-index.ts';
import { type DatedWrite, writesOf } from './write.ts';

/** What lineage is built with, besides what was collected. */
export interface BuildLineage {
  readonly names: LineageNames | undefined;
  readonly tables: readonly string[] | undefined;
  readonly skipped: readonly Skipped[];
}

/** Turns what was collected into lineage: names mapped, runs joined into writes, retired writes left out. */
export function buildLineage(collector: Collector, { names, tables, skipped }: BuildLineage): Lineage {
  const { interner, notes, runs, sets, jobs } = collector;
  const datasets = mapDatasets({
    namespaces: interner.namespaces,
    names: interner.names,
    notes: notes.byDataset,
    declared: names,
    tables,
  });
  const index = indexTables(interner, datasets);
  const schemas = collector.schemas.finish();
  const statements = statementsOf(runs, index.tableOf);
  const emptied = lastEmptied(statements.map((statement) => [statement.table, emptiedBy(statement)]));
  const schemaOf = (table: number): readonly number[] =>
    index.datasetsOf[table]!.flatMap((dataset) => schemas.namesOf(dataset));
  const context = { index, sets: sets.sets, edges: new EdgeUnion(index), jobs, schemaOf };
  const dated = writesOf(statements, context);
  const live = liveWrites(dated, emptied);
  const retired = joinRuns(retiredWrites(dated, live));
  const writes = [...joinRuns(live), ...renames(collector, index, schemas)];
  return withEdges({
    datasets: [...datasets].sort(byName),
    jobs: jobList(collector, index),
    tables: index.tableNames
      .map((table, at): LineageTable => {
        const datasets = index.datasetsOf[at]!;
        return {
          table,
          mapped: index.mapped[at]!,
          columns: schemas.columnsOf(datasets),
          view: datasets.some((dataset) => notes.byDataset[dataset]?.view === true),
          dropped: wasDropped(emptied.get(at), live, at),
          emptiedAt: emptied.get(at)?.at ?? null,
        };
      })
      .sort((a, b) => (a.table < b.table ? -1 : 1)),
    writes,
    retired,
    reads: readsOf(collector, index),
    columns: index.columns(),
    events: collector.events,
    skipped,
  });
}

/** Adds the getter of the edges. It stands apart from what is built, none of which it may keep alive. */
function withEdges(lineage: Omit<Lineage, 'edges'>): Lineage {
  const { writes, columns } = lineage;
  return Object.defineProperty({ ...lineage, edges: [] }, 'edges', {
    get: () => edgesOf(writes, columns),
    enumerable: true,
  });
}

function lastEmptied(all: readonly (readonly [number, Emptied | null])[]): ReadonlyMap<number, Emptied> {
  const last = new Map<number, Emptied>();
  for (const [table, emptied] of all) {
    const known = last.get(table);
    if (emptied !== null && (known === undefined || emptied.at > known.at)) last.set(table, emptied);
  }
  return last;
}

function wasDropped(emptied: Emptied | undefined, live: readonly DatedWrite[], table: number): boolean {
  return emptied?.dropped === true && !live.some(({ said }) => said.tableIndex === table);
}

/** Writes that say the same are one: a job's daily runs add nothing but their number and their last time. */
function joinRuns(writes: readonly DatedWrite[]): readonly Write[] {
  // Most of what is equal is one object, which is found without comparing texts.
  const bySaid = new Map<Said, Dates>();
  for (const { said, firstSeen, firstAt, lastRun, lastSeen, lastAt } of writes) {
    const known = bySaid.get(said);
    const dates = { runs: 1, firstSeen, firstAt, lastRun, lastSeen, lastAt };
    if (known === undefined) bySaid.set(said, dates);
    else join(known, dates);
  }
  const byKey = new Map<string, { readonly said: Said; readonly dates: Dates }>();
  for (const [said, dates] of bySaid) {
    const known = byKey.get(said.key);
    if (known === undefined) byKey.set(said.key, { said, dates });
    else join(known.dates, dates);
  }
  return Array.from(byKey.values(), ({ said, dates }) => writeOf(said, dates)).sort(inOrder);
}

function writeOf({ write }: Said, { runs, firstSeen, firstAt, lastRun, lastSeen, lastAt }: Dates): Write {
  return { ...write, runs, firstSeen, firstAt, lastRun, lastSeen, lastAt };
}

interface Dates {
  runs: number;
  firstSeen: number | null;
  firstAt: EventPlace | null;
  lastRun: string | null;
  lastSeen: number | null;
  lastAt: EventPlace | null;
}

/** Adds the dates of other runs that said the same. */
function join(dates: Dates, other: Dates): void {
  dates.runs += other.runs;
  if (other.firstSeen !== null && dates.firstSeen !== null && other.firstSeen < dates.firstSeen)
    dates.firstAt = other.firstAt;
  dates.firstSeen = earlier(dates.firstSeen, other.firstSeen);
  if ((other.lastSeen ?? 0) < (dates.lastSeen ?? 0)) return;
  dates.lastRun = other.lastRun;
  dates.lastSeen = other.lastSeen;
  dates.lastAt = other.lastAt;
}

/** Unknown where one of them is. */
function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.min(a, b);
}

/** An order that does not depend on when events came: by names, then by what was read, then by the edges. */
function inOrder(a: Write, b: Write): number {
  return (
    compare(a.table, b.table) ||
    compare(a.job, b.job) ||
    compare(a.inputs.join('\n'), b.inputs.join('\n')) ||
    compare(`${a.replaces} ${a.ended} ${a.rowLevel}`, `${b.replaces} ${b.ended} ${b.rowLevel}`) ||
    compare(edgesKey(a), edgesKey(b))
  );
}

function edgesKey({ edges }: Write): string {
  return `${edges.to.join()} ${edges.from.join()} ${edges.roles.join()}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A renamed table holds what it held under its old name: every known column is an exact copy of itself. */
function renames(
  { notes, interner }: Collector,
  index: TableIndex,
  schemas: DatasetSchemas,
): readonly Write[] {
  if (notes.renames.length === 0) return [];
  const named = groupBy(interner.columnDatasets, interner.names.length);
  const namesIn = (dataset: number): readonly number[] =>
    Array.from(
      named.items.subarray(named.starts[dataset], named.starts[dataset + 1]),
      (column) => interner.nameNumbers[column]!,
    ).filter((name) => name !== WHOLE);
  return notes.renames.flatMap(({ before, after }) => {
    const [old, now] = [index.tableOf[before]!, index.tableOf[after]!];
    if (old === now) return [];
    const columns = new Set([...namesIn(before), ...schemas.namesOf(before), ...schemas.namesOf(after)]);
    const names = [...columns];
    const write: Write = {
      table: index.tableNames[now]!,
      job: 'rename',
      inputs: [index.tableNames[old]!],
      repeated: [],
      unlisted: false,
      opaque: [],
      rowLevel: false,
      parsed: false,
      marksDroppedRows: false,
      replaces: 'part',
      ended: 'complete',
      edges: {
        from: Int32Array.from(names, (name) => index.column(old, name)),
        to: Int32Array.from(names, (name) => index.column(now, name)),
        roles: Uint16Array.from(names, () => ROLE.identity),
      },
      mentioned: [],
      runs: 1,
      firstSeen: null,
      firstAt: null,
      lastRun: null,
      lastSeen: null,
      lastAt: null,
    };
    return [write];
  });
}

function jobList({ runs, jobs }: Collector, index: TableIndex): readonly LineageJob[] {
  const inputs = jobs.map(() => new Set<number>());
  const outputs = jobs.map(() => new Set<number>());
  for (const run of runs) {
    for (const dataset of run.inputs.numbers) inputs[run.job]!.add(index.tableOf[dataset]!);
    for (const output of run.outputs) {
      outputs[run.job]!.add(index.tableOf[output.dataset]!);
      for (const input of output.inputs.numbers) inputs[run.job]!.add(index.tableOf[input]!);
    }
  }
  // Tables are numbered in the order of their names.
  const namesOf = (tables: ReadonlySet<number>): readonly string[] =>
    [...tables].sort((a, b) => a - b).map((table) => index.tableNames[table]!);
  return jobs
    .map(({ namespace, name }, at) => ({
      namespace,
      name,
      inputs: namesOf(inputs[at]!),
      outputs: namesOf(outputs[at]!),
    }))
    .filter((job) => job.name !== '')
    .sort(byName);
}

/** Jobs that only ever read: no run of theirs, and none of the same statement, names an output. */
function readsOf({ runs, jobs }: Collector, index: TableIndex): readonly Read[] {
  const statements = new Set<string>();
  // What the writing runs of each job read: what another run of it reads beyond that went somewhere else.
  const known = new Map<number, Set<number>>();
  const statement = (run: Run): string | null =>
    run.parentRun === null || run.sql === null ? null : `${run.parentRun} ${run.sql}`;
  for (const run of runs) {
    if (run.outputs.length === 0) continue;
    const read = known.get(run.job) ?? new Set();
    for (const dataset of run.inputs.numbers) read.add(dataset);
    known.set(run.job, read);
    const key = statement(run);
    if (key !== null) statements.add(key);
  }
  const reads = new Map<number, Set<string>>();
  for (const run of runs) {
    const key = statement(run);
    const unknown = run.inputs.numbers.filter((dataset) => known.get(run.job)?.has(dataset) !== true);
    if (unknown.length === 0 || (key !== null && statements.has(key))) continue;
    const inputs = reads.get(run.job) ?? new Set();
    for (const dataset of unknown) inputs.add(index.tableNames[index.tableOf[dataset]!]!);
    reads.set(run.job, inputs);
  }
  return [...reads]
    .map(([job, inputs]) => ({
      job: `${jobs[job]!.namespace} ${jobs[job]!.name}`,
      inputs: [...inputs].sort(),
    }))
    .sort((a, b) => (a.job < b.job ? -1 : 1));
}

function byName(a: Pick<Dataset, 'namespace' | 'name'>, b: Pick<Dataset, 'namespace' | 'name'>): number {
  return compare(a.namespace, b.namespace) || compare(a.name, b.name);
}
