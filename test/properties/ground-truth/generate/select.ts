import type { Column, Expr, Join, Output, Query, Ref, Select, Shape } from '../pipeline.ts';
import type { OutputRecipe, SelectRecipe, StepRecipe } from './recipe.ts';

/** A column that a select can use, with what it is. */
export interface Scoped extends Column {
  readonly ref: Ref;
}

export interface BuiltSelect {
  readonly select: Select;
  /** The columns that come out, named. */
  readonly columns: readonly Column[];
}

/** A query of free form: its columns are what the recipe likes. */
export function freeQuery(
  recipe: StepRecipe,
  tables: readonly Shape[],
): { query: Query; columns: readonly Column[] } {
  const first = freeSelect(recipe.selects[0]!, tables);
  const others = branches(recipe)
    .slice(1)
    .map((select) => fittedSelect(select, tables, first.columns));
  return { query: [first.select, ...others], columns: first.columns };
}

/** A query whose columns fit a table that is there. */
export function fittedQuery(recipe: StepRecipe, tables: readonly Shape[], target: Shape): Query {
  return branches(recipe).map((select) => fittedSelect(select, tables, target.columns, target));
}

/** Two out of five queries with two branches are unions. */
function branches({ selects, target }: StepRecipe): readonly SelectRecipe[] {
  return target % 5 < 2 ? selects : selects.slice(0, 1);
}

function freeSelect(recipe: SelectRecipe, tables: readonly Shape[]): BuiltSelect {
  const { from, joins, scope } = sourcesOf(recipe, tables);
  const shape = recipe.shape % 10;
  const grouped = shape === 0 || shape === 1;
  const keys = grouped
    ? [pick(preferring(scope, recipe.shape, 'learner'), Math.floor(recipe.shape / 10))]
    : [];
  const names = new Set<string>();
  const outputs: Output[] = [];
  const columns: Column[] = [];
  const add = (expr: Expr, of: Column, name: number): void => {
    if (outputs.some((known) => JSON.stringify(known.expr) === JSON.stringify(expr))) return;
    const own = expr.kind === 'column' ? of.name : `${expr.kind.replace('-', '_')}_${of.name}`;
    const named = nameFor(own, name, names);
    names.add(named);
    outputs.push({ name: named, expr });
    columns.push({
      name: named,
      type: typeOf(expr, of),
      domain: expr.kind === 'column' ? of.domain : 'text',
    });
  };
  for (const key of keys) add({ kind: 'column', of: key.ref }, key, 99);
  const learner = scope.find(({ domain }) => domain === 'learner');
  // Most people keep the key of what they copy.
  if (!grouped && learner !== undefined && recipe.join % 10 < 9)
    add({ kind: 'column', of: learner.ref }, learner, recipe.outputs[0]!.name);
  for (const output of recipe.outputs) {
    const of = pick(scope, output.of);
    // The same column of two tables that were joined by it is seldom taken twice.
    if (names.has(of.name) && output.and % 8 !== 7) continue;
    add(grouped ? aggregate(output, of) : expression(output, of, scope, tables), of, output.name);
  }
  const select: Select = {
    from,
    joins,
    outputs,
    distinct: !grouped && shape === 2,
    ...(grouped ? { groupBy: keys.map(({ ref }) => ref) } : {}),
    ...filtersOf(recipe, scope, tables),
  };
  return { select, columns };
}

/** A select that gives columns of the wanted types, mostly what they are about, and constants where there is nothing. */
function fittedSelect(
  recipe: SelectRecipe,
  tables: readonly Shape[],
  wanted: readonly Column[],
  target?: Shape,
): Select {
  const { from, joins, scope } = sourcesOf(recipe, likely(recipe, tables, wanted));
  const outputs = wanted.map((column, place): Output => {
    const output = recipe.outputs[place % recipe.outputs.length]!;
    const alike = scope.filter(({ domain, type }) => domain === column.domain && type === column.type);
    const typed = scope.filter(({ type }) => type === column.type);
    const candidates = alike.length > 0 && output.and % 20 < 18 ? alike : typed;
    const constant: Expr = {
      kind: 'constant',
      value: output.expr % 3 < 2 ? (column.type === 'long' ? String(1 + (output.of % 3)) : 'none') : null,
      type: column.type,
    };
    if (candidates.length === 0 || output.expr % 20 >= 18) return { name: column.name, expr: constant };
    const same = candidates.filter(({ name }) => name === column.name);
    const of = same.length > 0 && output.of % 20 < 19 ? same[0]! : pick(candidates, output.of);
    const copied: Expr = { kind: 'column', of: of.ref };
    return {
      name: column.name,
      expr: column.type === 'string' && output.expr % 10 === 8 ? { ...copied, kind: 'upper' } : copied,
    };
  });
  return { from, joins, outputs, distinct: false, ...filtersOf(recipe, scope, tables, target) };
}

/** Mostly tables that have the key, where one is wanted. */
function likely(
  { shape }: SelectRecipe,
  tables: readonly Shape[],
  wanted: readonly Column[],
): readonly Shape[] {
  const isKey = ({ name, domain }: Column): boolean => domain === 'learner' && name === 'learner_id';
  const keyed = tables.filter(({ columns }) => columns.some(isKey));
  return wanted.some(isKey) && shape % 20 < 16 ? keyed : tables;
}

function sourcesOf(
  recipe: SelectRecipe,
  tables: readonly Shape[],
): { readonly from: string; readonly joins: readonly Join[]; readonly scope: readonly Scoped[] } {
  // Derived tables are at the end: they are taken as often as all sources together.
  const take = (choice: number): Shape => {
    const derived = tables.filter(({ table }) => table.startsWith('mart.'));
    return derived.length > 0 && choice % 2 === 0 ? pick(derived, choice >> 1) : pick(tables, choice >> 1);
  };
  const first = take(recipe.from);
  const scope: Scoped[] = scoped(first, 0);
  const joins: Join[] = [];
  const count = recipe.join % 4 === 0 ? 1 : recipe.join % 16 === 1 ? 2 : 0;
  for (const { table, type, on } of recipe.joins.slice(0, count)) {
    const next = type % 8 === 7 ? first : take(table);
    const at = joins.length + 1;
    const pairs = scope.flatMap((left) =>
      scoped(next, at)
        .filter((right) => right.type === left.type && (right.domain === left.domain || on % 20 === 19))
        .map((right) => ({ left, right })),
    );
    const byKey = pairs.filter(({ left, right }) => left.domain === 'learner' && right.name === left.name);
    const likely = byKey.length > 0 && on % 10 < 7 ? byKey : pairs;
    if (likely.length === 0) continue;
    const { left, right } = pick(likely, on);
    joins.push({
      table: next.table,
      type: JOINS[type % JOINS.length]!,
      left: left.ref,
      right: right.name,
    });
    scope.push(...scoped(next, at));
  }
  return { from: first.table, joins, scope };
}

const JOINS = ['inner', 'inner', 'inner', 'inner', 'left', 'left', 'right', 'full'] as const;

function scoped({ columns }: Shape, at: number): Scoped[] {
  return columns.map((column) => ({ ...column, ref: { at, column: column.name } }));
}

/** Filters; where a table is added to, also the usual one that takes only what it does not have yet. */
function filtersOf(
  { where }: SelectRecipe,
  scope: readonly Scoped[],
  tables: readonly Shape[],
  target?: Shape,
): Pick<Select, 'where' | 'semi'> {
  const of = pick(scope, where);
  if (where % 6 === 0) return { where: { of: of.ref } };
  if (where % 6 === 1) return { where: { of: of.ref, like: where % 4 === 0 ? '%1%' : 'p%' } };
  const onlyNew = where % 12 === 8 && target !== undefined;
  if (where % 12 !== 2 && !onlyNew) return {};
  const other = onlyNew ? target : pick(tables, where);
  const column = other.columns.find(({ type, domain }) => type === of.type && domain === of.domain);
  if (column === undefined) return {};
  return {
    semi: { table: other.table, column: column.name, of: of.ref, anti: onlyNew || where % 24 === 14 },
  };
}

function expression(
  recipe: OutputRecipe,
  of: Scoped,
  scope: readonly Scoped[],
  tables: readonly Shape[],
): Expr {
  const { expr, and } = recipe;
  const copy: Expr = { kind: 'column', of: of.ref };
  const same = scope.filter(({ type }) => type === of.type);
  const other = pick(same, and);
  const over = { partition: pick(scope, and).ref, order: pick(scope, and >> 1).ref };
  if (expr < 58) return copy;
  if (expr < 66)
    return of.type === 'string'
      ? { kind: (['upper', 'prefix', 'mask'] as const)[expr % 3]!, of: of.ref }
      : { kind: expr % 2 === 0 ? 'cast' : 'plus-zero', of: of.ref };
  if (expr < 70) return { kind: 'hash', of: of.ref };
  if (expr < 75) return of.type === 'string' ? { kind: 'concat', of: of.ref, and: other.ref } : copy;
  if (expr < 79) return { kind: 'coalesce', of: of.ref, and: other.ref };
  if (expr < 84) return { kind: 'case', of: of.ref, and: pick(scope, and).ref };
  if (expr < 88) return { kind: 'constant', value: expr % 2 === 0 ? null : '3', type: of.type };
  if (expr < 90) return { kind: 'row-number', over };
  if (expr < 95) return { kind: expr % 2 === 0 ? 'lag' : 'window-max', of: of.ref, over };
  const table = pick(tables, and);
  const key = table.columns.find(({ domain, type }) => domain === of.domain && type === of.type);
  const column = table.columns.find(({ type }) => type === of.type);
  return key === undefined || column === undefined
    ? copy
    : { kind: 'lookup', table: table.table, column: column.name, key: key.name, by: of.ref };
}

function aggregate({ expr }: OutputRecipe, of: Scoped): Expr {
  if (expr < 30) return { kind: 'count-rows' };
  if (expr < 50) return { kind: 'count', of: of.ref };
  if (expr < 80) return { kind: 'max', of: of.ref };
  return of.type === 'long' ? { kind: 'sum', of: of.ref } : { kind: 'list', of: of.ref };
}

function typeOf(expr: Expr, of: Column): Column['type'] {
  switch (expr.kind) {
    case 'hash':
    case 'cast':
      return 'string';
    case 'count-rows':
    case 'count':
    case 'row-number':
      return 'long';
    default:
      return of.type;
  }
}

/** Mostly the column's own name; now and then another, also one that promises something else. */
function nameFor(own: string, choice: number, taken: ReadonlySet<string>): string {
  const renamed = ['uid', 'learner_id', 'person', 'email', 'note', 'course_id'][choice % 6]!;
  const wanted = choice < 8 ? renamed : own;
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}_${number}`;
    if (!taken.has(name)) return name;
  }
}

function preferring(scope: readonly Scoped[], choice: number, domain: Column['domain']): readonly Scoped[] {
  const found = scope.filter((column) => column.domain === domain);
  return found.length > 0 && choice % 20 < 10 ? found : scope;
}

export function pick<T>(from: readonly T[], choice: number): T {
  return from[choice % from.length]!;
}
