import { edgesOf, type Input, inputsOf, type TrueEdges } from '../edges.ts';
import {
  type Pipeline,
  queryOf,
  type Run,
  readsOf,
  type Shape,
  type Statement,
  tablesOf,
} from '../pipeline.ts';
import { statementSql } from '../tagged-sql.ts';
import { SOURCES } from '../world.ts';
import { columnLineage, eventOf, schemaFacet } from './event.ts';

const naming = (table: string): { namespace: string; name: string } => ({
  namespace: 'file',
  name: `/lake/warehouse/${table.replace('.', '/')}`,
});

const producer = 'https://github.com/OpenLineage/OpenLineage/tree/1.53.0/integration/spark';

/** What a run's events leave out or get wrong beside what Spark always does. */
export interface Flaws {
  /** A Spark without flaws: every edge of every statement in every event. */
  readonly none?: boolean;
  /** No column facet in any event: an RDD, a streaming sink. */
  readonly noFacet?: boolean;
  /** No inputs in any event: rows went through the driver, or a checkpoint. */
  readonly noInputs?: boolean;
  /** A streaming sink: inputs, and no output at all. */
  readonly noOutputs?: boolean;
  /** Only the START came through. */
  readonly startOnly?: boolean;
  /** Spark 4.1's copy-on-write MERGE: the source's value edges are gone. */
  readonly mergeWithoutSource?: boolean;
}

/** The events of Spark 3.5 with the 1.53.0 listener, with the flaws that real runs have. */
export function sparkEvents(
  pipeline: Pipeline,
  flawsOf: (run: number) => Flaws = () => ({}),
): readonly unknown[] {
  return pipeline.runs.flatMap((run, number) => {
    const shapes = new Map(SOURCES.map((shape) => [shape.table, shape]));
    for (const earlier of pipeline.runs.slice(0, number + 1))
      shapes.set(earlier.target.table, earlier.target);
    return new SparkRun(run, number, pipeline.quirks, flawsOf(number), shapes).events();
  });
}

const COMMANDS: Readonly<Record<Statement['kind'], string>> = {
  create: 'append_data',
  // Never written: Spark has no event for a view, and what is read through one comes from its tables.
  view: 'create_view',
  append: 'append_data',
  overwrite: 'overwrite_by_expression',
  'overwrite-partitions': 'overwrite_partitions_dynamic',
  merge: 'replace_data',
  update: 'replace_data',
  delete: 'replace_data',
  drop: 'drop_table',
  truncate: 'truncate_table',
};

class SparkRun {
  readonly #run: Run;
  readonly #number: number;
  readonly #quirks: number;
  readonly #flaws: Flaws;
  readonly #shapes: ReadonlyMap<string, Shape>;

  constructor(run: Run, number: number, quirks: number, flaws: Flaws, shapes: ReadonlyMap<string, Shape>) {
    this.#run = run;
    this.#number = number;
    this.#quirks = quirks;
    this.#flaws = flaws;
    this.#shapes = shapes;
  }

  events(): readonly unknown[] {
    const { job } = this.#run;
    const application = { producer, job, runId: `application-${this.#number}`, inputs: [], outputs: [] };
    return [
      eventOf({ ...application, eventType: 'START', at: this.#at(0) }),
      ...(this.#flaws.startOnly === true
        ? this.#writer().slice(0, 1)
        : [...this.#writer(), ...this.#wrapper()]),
      eventOf({ ...application, eventType: 'COMPLETE', at: this.#at(9) }),
    ];
  }

  /** The run that wrote the rows: a RUNNING without inputs, and after a FAIL a COMPLETE all the same. */
  #writer(): readonly unknown[] {
    const { statement, failed } = this.#run;
    const { table, kind } = statement;
    const facts = this.#facts(`${COMMANDS[kind]}.lake_${table.replace('.', '_')}`, 'writer');
    // A TRUNCATE of an Iceberg table is a run without datasets, and a DROP names the table twice.
    if (kind === 'truncate') {
      const emptied = this.#output({ lifecycleStateChange: { lifecycleStateChange: 'TRUNCATE' } });
      return this.#states({ ...facts, inputs: [], outputs: this.#flaws.none === true ? [emptied] : [] });
    }
    if (kind === 'drop') {
      const dropped = this.#output({ lifecycleStateChange: { lifecycleStateChange: 'DROP' } });
      return this.#states({ ...facts, inputs: [], outputs: [dropped, dropped] });
    }
    const facets: Record<string, unknown> = {};
    if (this.#flaws.noFacet !== true) {
      const { fields, dataset } = this.#edges();
      facets.columnLineage = columnLineage(naming, fields, dataset);
    }
    if (kind === 'overwrite' || kind === 'overwrite-partitions' || this.#replaces())
      facets.lifecycleStateChange = { lifecycleStateChange: 'OVERWRITE' };
    const inputs = this.#inputs(readsOf(statement));
    const written = this.#output(
      facets,
      failed ? {} : { outputStatistics: { rowCount: 1, size: 1, fileCount: 1 } },
    );
    const outputs = this.#flaws.noOutputs === true ? [] : [written];
    const early = this.#flaws.noOutputs === true ? [] : [this.#output(facets)];
    return [
      eventOf({ ...facts, eventType: 'START', at: this.#at(1), inputs, outputs: early }),
      eventOf({
        ...facts,
        eventType: 'RUNNING',
        at: this.#at(2),
        inputs: this.#flaws.none === true ? inputs : [],
        outputs: early,
      }),
      ...(failed
        ? [eventOf({ ...facts, eventType: 'FAIL', at: this.#at(3), inputs: [], outputs: early })]
        : []),
      eventOf({ ...facts, eventType: 'COMPLETE', at: this.#at(4), inputs, outputs }),
    ];
  }

  /** The second run of a CREATE TABLE AS, which ends last and knows less. */
  #wrapper(): readonly unknown[] {
    const { statement, target } = this.#run;
    if (statement.kind !== 'create' || this.#flaws.noOutputs === true) return [];
    const replaces = this.#replaces();
    const command = replaces ? 'atomic_replace_table_as_select' : 'atomic_create_table_as_select';
    const facts = this.#facts(`${command}.${statement.table.replace('.', '_')}`, 'wrapper');
    const facets: Record<string, unknown> = {
      lifecycleStateChange: { lifecycleStateChange: replaces ? 'OVERWRITE' : 'CREATE' },
    };
    if (this.#flaws.none === true) {
      const { fields, dataset } = this.#edges();
      facets.columnLineage = columnLineage(naming, fields, dataset);
    } else if (!replaces && this.#flaws.noFacet !== true) {
      const first = statement.query[0]!;
      const fields = new Map<string, readonly Input[]>();
      for (const [place, { expr }] of first.outputs.entries()) {
        const lost = ['lag', 'window-max', 'row-number', 'lookup'].includes(expr.kind);
        const inputs = lost ? [] : inputsOf(expr, (at) => tablesOf(first)[at]!);
        if (inputs.length > 0) fields.set(target.columns[place]!.name, inputs);
      }
      facets.columnLineage = columnLineage(naming, fields, []);
    }
    const inputs = this.#inputs([...new Set(statement.query.flatMap(tablesOf))]);
    return [
      eventOf({ ...facts, eventType: 'START', at: this.#at(0.5), inputs, outputs: [this.#output({})] }),
      eventOf({ ...facts, eventType: 'COMPLETE', at: this.#at(5), inputs, outputs: [this.#output(facets)] }),
    ];
  }

  /** What Spark says about a statement's columns. */
  #edges(): TrueEdges {
    const { statement } = this.#run;
    const edges = edgesOf(this.#run);
    if (statement.kind !== 'merge' || this.#flaws.none === true) return edges;
    // A computed expression vanishes behind the self edge, bare columns stand in the whole table's list too.
    const fields = new Map(
      [...edges.fields].map(([column, inputs]) => [
        column,
        inputs.filter(
          ({ table, uses }) =>
            table === statement.table ||
            (this.#flaws.mergeWithoutSource !== true && uses.includes('IDENTITY')),
        ),
      ]),
    );
    const file: Input = { table: statement.table, column: '_file', uses: ['FILTER'] };
    return {
      fields,
      dataset: [
        file,
        ...edges.dataset.map((input) => ({ ...input, uses: [...input.uses, 'IDENTITY' as const] })),
      ],
    };
  }

  #facts(command: string, part: string) {
    const { job, statement, target } = this.#run;
    const sql = withText(this.#quirks) ? sparkText(statement, target) : undefined;
    return {
      producer,
      job: `${job}.${command}`,
      runId: `${part}-${this.#number}`,
      parent: { job, runId: `application-${this.#number}` },
      ...(sql === undefined ? {} : { sql }),
    };
  }

  /** A statement that moves no rows. After a FAIL comes a COMPLETE all the same. */
  #states(facts: Omit<Parameters<typeof eventOf>[0], 'eventType' | 'at'>): readonly unknown[] {
    return [
      eventOf({ ...facts, eventType: 'START', at: this.#at(1) }),
      ...(this.#run.failed ? [eventOf({ ...facts, eventType: 'FAIL', at: this.#at(3) })] : []),
      eventOf({ ...facts, eventType: 'COMPLETE', at: this.#at(4) }),
    ];
  }

  #replaces(): boolean {
    const { statement } = this.#run;
    return statement.kind === 'create' && this.#run.replaces;
  }

  #inputs(tables: readonly string[]): readonly unknown[] {
    if (this.#flaws.noInputs === true) return [];
    return tables.map((table) => ({ ...naming(table), facets: this.#known(table) }));
  }

  #output(facets: Record<string, unknown>, outputFacets: Record<string, unknown> = {}): unknown {
    const { table } = this.#run.statement;
    return { ...naming(table), facets: { ...this.#known(table), ...facets }, outputFacets };
  }

  #known(table: string): Record<string, unknown> {
    const shape = this.#shapes.get(table);
    return {
      symlinks: { identifiers: [{ namespace: 'file:/lake/warehouse', name: table, type: 'TABLE' }] },
      catalog: { framework: 'iceberg', type: 'hadoop', name: 'lake', warehouseUri: '/lake/warehouse' },
      ...(shape === undefined ? {} : { schema: schemaFacet(shape) }),
    };
  }

  #at(seconds: number): number {
    return this.#number * 10 + seconds;
  }
}

/** Half of the applications run SQL, the others build data frames, whose events have no text. */
function withText(quirks: number): boolean {
  return quirks % 2 === 0;
}

function sparkText(statement: Statement, target: Shape): string {
  const text = statementSql(statement, target, false);
  if (statement.kind === 'overwrite')
    return `INSERT OVERWRITE ${statement.table} ${text.slice(text.indexOf(' AS ') + 4, text.indexOf('; DELETE'))}`;
  if (queryOf(statement).length === 0) return text;
  return statement.kind === 'overwrite-partitions'
    ? `INSERT OVERWRITE ${statement.table} ${text.slice(text.indexOf(' AS ') + 4, text.indexOf('; DELETE'))}`
    : text.replace('CREATE OR REPLACE TABLE', 'CREATE TABLE');
}
