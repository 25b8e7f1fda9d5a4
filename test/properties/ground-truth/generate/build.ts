import type { Expr, Pipeline, Query, Run, Shape, Statement } from '../pipeline.ts';
import { queryOf, readsOf, tablesOf } from '../pipeline.ts';
import { SOURCES } from '../world.ts';
import type { Recipe, StepRecipe } from './recipe.ts';
import { fittedQuery, freeQuery, pick } from './select.ts';

/** The most derived tables that a pipeline makes. */
const MOST_TABLES = 4;

/** Turns a recipe into a pipeline in which every statement can run when its turn comes. */
export function build(recipe: Recipe): Pipeline {
  const shapes = new Map(SOURCES.map((shape) => [shape.table, shape]));
  const views = new Map<string, Run>();
  const runs: Run[] = [];
  const repeated: Run[] = [];
  const take = (run: Run): void => {
    if (!fits(run, { shapes, views })) return;
    runs.push(run);
    if (run.failed) return;
    if (run.statement.kind === 'view') views.set(run.target.table, run);
    if (run.statement.kind === 'drop') shapes.delete(run.statement.table);
    else shapes.set(run.target.table, run.target);
  };
  for (const [number, step] of recipe.steps.entries()) {
    const job = step.sameJob % 8 === 7 && runs.length > 0 ? runs.at(-1)!.job : `job_${number}`;
    const made = statementOf(step, { shapes, views, dbt: recipe.flavour === 'dbt-like' });
    if (made === null) continue;
    const { statement, target } = made;
    // A model of dbt is one job, and what fails leaves no row.
    const run: Run = {
      job: recipe.flavour === 'dbt-like' ? `model_${statement.table}` : job,
      statement,
      target,
      replaces: shapes.has(statement.table),
      failed: step.fails % 25 === 24,
    };
    take(run);
    if (step.again % 5 === 4) repeated.push(run);
  }
  for (const run of repeated)
    if (canRun(run, shapes)) take({ ...run, replaces: shapes.has(run.statement.table), failed: false });
  return {
    flavour: recipe.flavour,
    person: recipe.person,
    quirks: recipe.quirks,
    runs,
    tables: [...shapes.values()].filter(({ table }) => table.startsWith('mart.') && !views.has(table)),
    views: [...views.values()].map(({ target }) => target),
  };
}

/** Whether nothing stands in a run's way: a table where it makes a view, or views of columns that it would take away. */
function fits(
  { statement, target }: Run,
  {
    shapes,
    views,
  }: { readonly shapes: ReadonlyMap<string, Shape>; readonly views: ReadonlyMap<string, Run> },
): boolean {
  const there = shapes.get(target.table);
  if (there === undefined) return true;
  if (views.has(target.table) !== (statement.kind === 'view')) return false;
  if (sameColumns(there, target)) return true;
  return ![...views.values()].some((view) => readsOf(view.statement).includes(target.table));
}

/** Whether all that a run needs is there, as it was when the run was made. */
export function canRun(run: Run, shapes: ReadonlyMap<string, Shape>): boolean {
  const { statement, target } = run;
  if (!['create', 'view'].includes(statement.kind) && !sameColumns(shapes.get(statement.table), target))
    return false;
  const reads = new Map<string, Set<string>>();
  const needs = (table: string, column: string): void =>
    void reads.set(table, (reads.get(table) ?? new Set()).add(column));
  for (const table of readsOf(statement)) if (!reads.has(table)) reads.set(table, new Set());
  for (const select of queryOf(statement)) {
    const tables = tablesOf(select);
    for (const { at, column } of refsIn(select)) needs(tables[at]!, column);
    for (const join of select.joins) needs(join.table, join.right);
    if (select.semi !== undefined) needs(select.semi.table, select.semi.column);
    for (const { expr } of select.outputs)
      if (expr.kind === 'lookup') {
        needs(expr.table, expr.column);
        needs(expr.table, expr.key);
      }
  }
  return [...reads].every(([table, columns]) => {
    const shape = shapes.get(table);
    return (
      shape !== undefined &&
      [...columns].every((name) => shape.columns.some((column) => column.name === name))
    );
  });
}

function refsIn(select: Query[number]): readonly { at: number; column: string }[] {
  const inExpr = (expr: Expr): { at: number; column: string }[] => [
    ...('of' in expr ? [expr.of] : []),
    ...('and' in expr ? [expr.and] : []),
    ...('by' in expr ? [expr.by] : []),
    ...('over' in expr && expr.over !== undefined ? [expr.over.partition, expr.over.order] : []),
  ];
  return [
    ...select.outputs.flatMap(({ expr }) => inExpr(expr)),
    ...select.joins.map(({ left }) => left),
    ...(select.where === undefined ? [] : [select.where.of]),
    ...(select.semi === undefined ? [] : [select.semi.of]),
    ...(select.groupBy ?? []),
  ];
}

function sameColumns(now: Shape | undefined, then: Shape): boolean {
  return now !== undefined && JSON.stringify(now.columns) === JSON.stringify(then.columns);
}

type Made = { readonly statement: Statement; readonly target: Shape };

/** What a statement can be made of. */
interface Scene {
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly views: ReadonlyMap<string, unknown>;
  readonly dbt: boolean;
}

function statementOf(step: StepRecipe, { shapes, views, dbt }: Scene): Made | null {
  const tables = [...shapes.values()];
  const derived = tables.filter(({ table }) => table.startsWith('mart.') && !views.has(table));
  const { kind } = step;
  const free = Array.from({ length: MOST_TABLES }, (_, at) => `mart.t${at}`).find(
    (name) => !shapes.has(name),
  );
  if (free !== undefined && (derived.length === 0 || kind < 68)) {
    // dbt makes a view as it makes a table.
    return created(step, tables, { table: free, kind: dbt && step.again % 7 === 6 ? 'view' : 'create' });
  }
  if (derived.length === 0) return null;
  const target = pick(derived, step.target);
  // Few jobs read the table that they write; a model of dbt that is made anew each time does not.
  const strangers = tables.filter((other) => other !== target);
  const others = dbt || step.target % 5 < 4 ? strangers : tables;
  if (kind < 71) return created(step, others, { table: target.table, kind: 'create' });
  const { table, columns } = target;
  const fitted = (): Query => fittedQuery(step, others, target);
  if (kind < 78 || (dbt && kind < 85))
    return { statement: { kind: 'append', table, query: fitted() }, target };
  if (kind < 84 || dbt) return { statement: { kind: 'overwrite', table, query: fitted() }, target };
  if (kind < 86)
    return {
      statement: { kind: 'overwrite-partitions', table, query: fitted(), key: pick(columns, step.kind).name },
      target,
    };
  if (kind < 90) {
    const key = columns.find(({ type }) => type === 'long');
    return key === undefined
      ? null
      : { statement: { kind: 'merge', table, query: fitted(), key: key.name }, target };
  }
  const where = { column: pick(columns, step.target >> 1).name, like: step.target % 2 === 0 ? '%1%' : '%' };
  if (kind < 93) return updated(step, target, where);
  if (kind < 95) return { statement: { kind: 'delete', table, where }, target };
  return { statement: { kind: kind < 98 ? 'drop' : 'truncate', table }, target };
}

function created(
  step: StepRecipe,
  tables: readonly Shape[],
  { table, kind }: { readonly table: string; readonly kind: 'create' | 'view' },
): Made {
  const { query, columns } = freeQuery(step, tables);
  return { statement: { kind, table, query }, target: { table, columns } };
}

function updated(step: StepRecipe, target: Shape, where: { column: string; like: string }): Made {
  const column = pick(target.columns, step.again);
  const others = target.columns.filter(({ type }) => type === column.type);
  const of = { at: 0, column: pick(others, step.sameJob).name };
  const to: Expr =
    step.fails % 3 === 0
      ? { kind: 'constant', value: step.fails % 2 === 0 ? null : '3', type: column.type }
      : step.fails % 3 === 1 && column.type === 'string'
        ? { kind: 'upper', of }
        : { kind: 'column', of };
  return { statement: { kind: 'update', table: target.table, column: column.name, to, where }, target };
}
