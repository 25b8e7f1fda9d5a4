import {
  applyProperties,
  type BoundPlan,
  footprint,
  missingProperties,
  noteTraces,
  type Traces,
} from 'lethe';
import { system } from 'lethe/system';
import { deleteOnly, planForLearner } from '../erasure.ts';
import type { Platform } from '../platform/index.ts';
import { pipelines } from '../platform/pipelines/index.ts';
import type { ManifestFacts, PlanFacts, PlatformFacts, StageFacts, WhereFacts } from './facts.ts';

/** A learner on a platform, with the plan for them and what the scan looks for. */
export interface Subject {
  readonly platform: Platform;
  readonly learner: number;
  readonly bound: BoundPlan;
  readonly traces: Traces;
}

export async function subjectOn(platform: Platform, learner: number): Promise<Subject> {
  const bound = await planForLearner(platform, learner);
  return { platform, learner, bound, traces: await noteTraces({ ...platform, bound }) };
}

export async function platformFacts({ warehouse }: Platform, learner: number): Promise<PlatformFacts> {
  const tables = await Promise.all((await warehouse.list()).map((table) => warehouse.describe(table)));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { tables: tables.length, rows, pipelines: Object.keys(pipelines).length, learner };
}

export async function whereFacts({ platform, bound, traces }: Subject): Promise<WhereFacts> {
  const { scan } = await footprint({ warehouse: platform.warehouse, bound, traces });
  const places = scan!.tables.flatMap(({ table, found }) =>
    found.map(({ file, kind }) => ({ table, file, kind })),
  );
  const kinds = [...new Set(places.map(({ kind }) => kind))].map((kind) => {
    const here = places.filter((place) => place.kind === kind);
    const tables = [...new Set(here.map(({ table }) => table))].sort();
    return { kind, files: new Set(here.map(({ file }) => file)).size, tables };
  });
  return {
    files: scan!.totals.holding,
    tables: new Set(places.map(({ table }) => table)).size,
    kinds: kinds.sort((a, b) => b.files - a.files || (a.kind < b.kind ? -1 : 1)),
  };
}

export function planFacts({ bound }: Subject): readonly PlanFacts[] {
  return bound.steps.map(({ step: { table, action, column, copyOf, clear, decidedBy } }) => ({
    table,
    action,
    column,
    copyOf,
    cleared: clear.map((each) => each.column),
    decidedBy,
  }));
}

/** Carries out the erasure stage by stage, each of which many jobs take for the last, and counts after each. */
export async function* stageFacts(subject: Subject): AsyncGenerator<StageFacts> {
  const { platform, bound } = subject;
  const { warehouse } = platform;
  const tables = bound.steps.map(({ step }) => step.table);
  yield await leftAfter('before', subject);
  await deleteOnly(bound, platform, 'demo-stages');
  yield await leftAfter('delete', subject);
  const olderThan = system.clock.now() + 1;
  for (const table of tables) await warehouse.expire(table, { olderThan, minToKeep: 1, files: 'leave' });
  yield await leftAfter('expire', subject);
  for (const table of tables) await warehouse.sweep(table, { minAgeMs: 0 });
  yield await leftAfter('sweep', subject);
}

async function leftAfter(
  stage: StageFacts['stage'],
  { platform, bound, traces }: Subject,
): Promise<StageFacts> {
  const { tables, scan } = await footprint({ warehouse: platform.warehouse, bound, traces });
  const deleted = new Set(bound.steps.flatMap(({ step }) => (step.action === 'delete' ? [step.table] : [])));
  const sum = (count: (table: (typeof tables)[number]) => number): number =>
    tables.filter(({ table }) => deleted.has(table)).reduce((total, table) => total + count(table), 0);
  return {
    stage,
    rowsNow: sum(({ rows }) => rows),
    rowsByTimeTravel: sum(({ rowsByTimeTravel }) => rowsByTimeTravel),
    filesHolding: scan!.totals.holding,
  };
}

/** Applies the generated properties, and counts the values of protected columns in the manifests before and after. */
export async function manifestFacts({ warehouse, governance }: Platform): Promise<ManifestFacts> {
  const states = await missingProperties({ warehouse, governance });
  const off = [...states].flatMap(([table, { wanted }]) =>
    Object.entries(wanted).flatMap(([key, mode]) => {
      const [, column] = /^write\.metadata\.metrics\.column\.(.*)$/.exec(key) ?? [];
      return column === undefined || mode !== 'none' ? [] : [`${table}.${column}`];
    }),
  );
  const protectedColumns = new Set(off);
  const countBounds = async (): Promise<number> => {
    let values = 0;
    for (const table of states.keys()) {
      for (const { column, values: kept } of await warehouse.bounds(table)) {
        if (!protectedColumns.has(`${table}.${column}`)) continue;
        const { lower, upper } = kept.reveal();
        values += Number(lower !== null) + Number(upper !== null);
      }
    }
    return values;
  };
  const [boundsBefore, filesBefore] = [await countBounds(), await dataFiles(warehouse)];
  await applyProperties({ warehouse, governance, minAgeMs: 0 });
  const written = [...(await dataFiles(warehouse))].filter((file) => !filesBefore.has(file));
  return {
    columns: off.length,
    boundsBefore,
    boundsAfter: await countBounds(),
    dataFilesWritten: written.length,
  };
}

/** Every data file on disk, with its size and time: a file that was written again shows. */
async function dataFiles(warehouse: Platform['warehouse']): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  for (const table of await warehouse.list()) {
    const { location } = await warehouse.describe(table);
    for await (const { location: file, size, modified } of warehouse.storage.list(location)) {
      if (file.endsWith('.parquet')) files.add(`${file} ${size} ${modified}`);
    }
  }
  return files;
}
