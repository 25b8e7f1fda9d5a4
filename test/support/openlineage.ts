/** Roles as a test writes them: OpenLineage's subtypes, `HASH` for a masked transformation, `COUNT` for a masked sum, `?` for none. */
export type Use =
  | 'IDENTITY'
  | 'TRANSFORMATION'
  | 'HASH'
  | 'AGGREGATION'
  | 'COUNT'
  | 'JOIN'
  | 'GROUP_BY'
  | 'FILTER'
  | 'SORT'
  | 'WINDOW'
  | 'CONDITIONAL'
  | '?';

/** A source column, `schema.table.column`, and how it is used; identity where nothing is said. */
export type From = string | readonly [string, ...Use[]];

/** What a job did, for {@link runEvents}. */
export interface JobRun {
  readonly job: string;
  readonly output: string;
  /** Output column to its sources; left out for no facet. */
  readonly columns?: Readonly<Record<string, readonly From[]>>;
  /** Columns that decided about whole rows. */
  readonly rows?: readonly From[];
  /** Read tables; those of the columns and rows where left out. */
  readonly inputs?: readonly string[];
  readonly lifecycle?: 'CREATE' | 'OVERWRITE' | 'DROP' | 'TRUNCATE' | 'ALTER';
  readonly producer?: string;
  readonly sql?: string;
  readonly states?: readonly string[];
  /** Hours after midnight of 2026-09-01 at which it began. */
  readonly at?: number;
  readonly runId?: string;
  readonly statistics?: boolean;
}

const DIRECT = new Set<Use>(['IDENTITY', 'TRANSFORMATION', 'HASH', 'AGGREGATION', 'COUNT']);

/** The events of one run, as a client writes them: START and COMPLETE, the facets on the last. */
export function runEvents(run: JobRun): Record<string, unknown>[] {
  const states = run.states ?? ['START', 'COMPLETE'];
  const at = run.at ?? 0;
  return states.map((eventType, index) =>
    event(run, eventType, at + index / 60, index === states.length - 1),
  );
}

function event(run: JobRun, eventType: string, at: number, whole: boolean): Record<string, unknown> {
  const named = [...Object.values(run.columns ?? {}).flat(), ...(run.rows ?? [])].map((from) =>
    tableOf(columnOf(from)),
  );
  const inputs = run.inputs ?? [...new Set(named)].filter((table) => table !== run.output).sort();
  const facets: Record<string, unknown> = {};
  if (whole && run.columns !== undefined) {
    facets.columnLineage = {
      fields: Object.fromEntries(
        Object.entries(run.columns).map(([column, sources]) => [
          column,
          { inputFields: sources.map(inputField) },
        ]),
      ),
      dataset: (run.rows ?? []).map(inputField),
    };
  }
  if (whole && run.lifecycle !== undefined)
    facets.lifecycleStateChange = { lifecycleStateChange: run.lifecycle };
  const minutes = Math.round(at * 60);
  const day = 1 + Math.floor(minutes / 1440);
  const clock = [Math.floor((minutes % 1440) / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return {
    eventType,
    eventTime: `2026-09-${String(day).padStart(2, '0')}T${clock.join(':')}:00Z`,
    producer: run.producer ?? 'https://example.com/pipelines',
    run: { runId: run.runId ?? `${run.job}-${at}`.replace(/-[\d.]+$/, `-${run.at ?? 0}`) },
    job: {
      namespace: 'test',
      name: run.job,
      facets: run.sql === undefined ? {} : { sql: { query: run.sql } },
    },
    inputs: inputs.map(dataset),
    outputs: [
      {
        ...dataset(run.output),
        facets,
        outputFacets: whole && run.statistics === true ? { outputStatistics: { rowCount: 1 } } : {},
      },
    ],
  };
}

function dataset(table: string): Record<string, unknown> {
  return { namespace: 'lake', name: table };
}

function inputField(from: From): Record<string, unknown> {
  const column = columnOf(from);
  const uses: readonly Use[] = typeof from === 'string' ? ['IDENTITY'] : (from.slice(1) as Use[]);
  return {
    ...dataset(tableOf(column)),
    field: column.slice(column.lastIndexOf('.') + 1),
    transformations: uses.filter((use) => use !== '?').map(transformation),
  };
}

function transformation(use: Use): Record<string, unknown> {
  const subtype = use === 'HASH' ? 'TRANSFORMATION' : use === 'COUNT' ? 'AGGREGATION' : use;
  return {
    type: DIRECT.has(use) ? 'DIRECT' : 'INDIRECT',
    subtype,
    masking: use === 'HASH' || use === 'COUNT',
  };
}

function columnOf(from: From): string {
  return typeof from === 'string' ? from : from[0];
}

function tableOf(column: string): string {
  return column.slice(0, column.lastIndexOf('.'));
}
