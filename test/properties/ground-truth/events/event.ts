import type { Input, Use } from '../edges.ts';
import type { Shape } from '../pipeline.ts';

/** A dataset as a producer names it. */
export type Naming = (table: string) => { readonly namespace: string; readonly name: string };

/** What one event says; facets are given where the event has them. */
export interface EventFacts {
  readonly eventType: string;
  /** Seconds after the first event of the pipeline. */
  readonly at: number;
  readonly producer: string;
  readonly job: string;
  readonly runId: string;
  readonly parent?: { readonly job: string; readonly runId: string };
  readonly sql?: string;
  readonly inputs: readonly unknown[];
  readonly outputs: readonly unknown[];
}

export function eventOf(facts: EventFacts): Record<string, unknown> {
  const { parent, sql } = facts;
  const namespace = 'learning-platform';
  return {
    eventType: facts.eventType,
    eventTime: new Date(Date.UTC(2026, 8, 1) + facts.at * 1000).toISOString(),
    producer: facts.producer,
    run: {
      runId: facts.runId,
      facets:
        parent === undefined
          ? {}
          : { parent: { run: { runId: parent.runId }, job: { namespace, name: parent.job } } },
    },
    job: { namespace, name: facts.job, facets: sql === undefined ? {} : { sql: { query: sql } } },
    inputs: facts.inputs,
    outputs: facts.outputs,
  };
}

/** A `columnLineage` facet. Without types every `transformations` is empty, as dbt writes it. */
export function columnLineage(
  naming: Naming,
  fields: ReadonlyMap<string, readonly Input[]>,
  dataset: readonly Input[],
  typed = true,
): Record<string, unknown> {
  const field = ({ table, column, uses }: Input): Record<string, unknown> => ({
    ...naming(table),
    field: column,
    transformations: typed ? uses.map(transformation) : [],
  });
  return {
    fields: Object.fromEntries(
      [...fields].map(([column, inputs]) => [column, { inputFields: inputs.map(field) }]),
    ),
    dataset: dataset.map(field),
  };
}

const DIRECT: ReadonlySet<Use> = new Set(['IDENTITY', 'TRANSFORMATION', 'HASH', 'AGGREGATION', 'COUNT']);

function transformation(use: Use): Record<string, unknown> {
  return {
    type: DIRECT.has(use) ? 'DIRECT' : 'INDIRECT',
    subtype: use === 'HASH' ? 'TRANSFORMATION' : use === 'COUNT' ? 'AGGREGATION' : use,
    description: '',
    masking: use === 'HASH' || use === 'COUNT',
  };
}

export function schemaFacet({ columns }: Shape): Record<string, unknown> {
  return { fields: columns.map(({ name, type }) => ({ name, type })) };
}
