import { type Input, inputsOf } from '../edges.ts';
import { type Pipeline, type Run, readsOf, type Select, tablesOf } from '../pipeline.ts';
import { statementSql } from '../tagged-sql.ts';
import { columnLineage, eventOf, type Naming } from './event.ts';

const naming: Naming = (table) => ({
  namespace: 'duckdb:///lake/platform.duckdb',
  name: `platform.${table}`,
});

const MATERIALIZED: Readonly<Partial<Record<Run['statement']['kind'], string>>> = {
  create: 'table',
  overwrite: 'table',
  view: 'view',
};

/** The events of dbt-ol 1.54.0: no roles, columns named by the SELECT, no facet for a `select *`, no lifecycle. */
export function dbtEvents({ runs, quirks }: Pipeline): readonly unknown[] {
  const models = runs.filter(({ statement }) => 'query' in statement);
  return models.flatMap((run, number) => {
    const { table, kind } = run.statement;
    const facts = {
      producer: 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt',
      job: modelOf(table),
      runId: `run-${number}`,
      parent: { job: 'dbt-run-learning_platform', runId: `dbt-${number}` },
      sql: statementSql(run.statement, run.target, false).replaceAll(/(crm|learning|mart)\./g, 'platform.$&'),
      inputs: [...new Set(readsOf(run.statement))].filter((input) => input !== table).map(naming),
    };
    const facets: Record<string, unknown> = {
      dbt_model: {
        config: { materialized: MATERIALIZED[kind] ?? 'incremental' },
      },
    };
    if (!hasStar(run, quirks)) facets.columnLineage = columnLineage(naming, fieldsOf(run), [], false);
    return [
      eventOf({ ...facts, eventType: 'START', at: number * 10, outputs: [{ ...naming(table), facets }] }),
      eventOf({
        ...facts,
        eventType: run.failed ? 'FAIL' : 'COMPLETE',
        at: number * 10 + 5,
        outputs: run.failed ? [] : [{ ...naming(table), facets }],
      }),
    ];
  });
}

/** A model that is a plain copy may be written as `select *`. */
function hasStar({ statement }: Run, quirks: number): boolean {
  const select = 'query' in statement ? statement.query[0]! : null;
  return quirks % 3 === 0 && select !== null && select.outputs.every(({ expr }) => expr.kind === 'column');
}

function fieldsOf({ statement, target }: Run): ReadonlyMap<string, readonly Input[]> {
  const fields = new Map<string, readonly Input[]>();
  const selects: readonly Select[] = 'query' in statement ? statement.query : [];
  for (const [branch, select] of selects.entries())
    for (const [place, { expr }] of select.outputs.entries()) {
      const inputs = inputsOf(expr, (at) => tablesOf(select)[at]!);
      if (inputs.length === 0) continue;
      // A later branch without an alias goes by its own column's name, a scalar subquery by its place.
      const own = expr.kind === 'column' && branch > 0 ? expr.of.column : target.columns[place]!.name;
      const name = expr.kind === 'lookup' ? `_${place}` : own;
      fields.set(name, [...(fields.get(name) ?? []), ...inputs]);
    }
  return fields;
}

/** The job of a model. */
export function modelOf(table: string): string {
  return `platform.main_marts.learning_platform.${table.slice(table.indexOf('.') + 1)}`;
}
