import type { Flavour, Pipeline, Run } from '../pipeline.ts';
import { dbtEvents, modelOf } from './dbt.ts';
import { type Flaws, sparkEvents } from './spark.ts';

/** What a pipeline's producers say about it, by its flavour. */
export function eventsOf(pipeline: Pipeline): readonly unknown[] {
  switch (pipeline.flavour) {
    case 'faithful-typed':
      return sparkEvents(pipeline, () => ({ none: true }));
    case 'spark-like':
      return sparkEvents(pipeline);
    case 'dbt-like':
      return dbtEvents(pipeline);
    case 'partial': {
      const { run, flaw } = flawed(pipeline);
      const flaws = FLAWS[flaw];
      // A flaw is of the statement, so that every run of it has it.
      const { runs: all } = pipeline;
      const has = (number: number): boolean => all[number]!.statement === all[run]!.statement;
      if (flaws !== null) return sparkEvents(pipeline, (number) => (has(number) ? flaws : {}));
      // Nothing was ever said about one table: its jobs have no listener.
      const silent = pipeline.runs[run]?.target.table;
      const runs = pipeline.runs.filter(({ target }) => target.table !== silent);
      return sparkEvents({ ...pipeline, runs });
    }
  }
}

/** The name of the job that runs again to repeat a run, as its events have it. */
export function jobNameOf(flavour: Flavour, { job, target }: Run): string {
  return flavour === 'dbt-like' ? modelOf(target.table) : job;
}

const FLAWS = {
  'no facet': { noFacet: true },
  'neither facet nor inputs': { noFacet: true, noInputs: true },
  'no output': { noOutputs: true },
  'only a START': { startOnly: true },
  'a MERGE without its source': { mergeWithoutSource: true },
  'no inputs': { noInputs: true },
  'no events': null,
} as const satisfies Record<string, Flaws | null>;

export type Flaw = keyof typeof FLAWS;

/** What the events of a partial pipeline lack. */
export const FLAW_NAMES = Object.keys(FLAWS) as readonly Flaw[];

/** Which run of a partial pipeline is flawed, and how. */
export function flawed({ runs, quirks }: Pipeline): { readonly run: number; readonly flaw: Flaw } {
  const pick = Math.floor(quirks / 2);
  return {
    run: Math.floor(pick / FLAW_NAMES.length) % Math.max(1, runs.length),
    flaw: FLAW_NAMES[pick % FLAW_NAMES.length]!,
  };
}
