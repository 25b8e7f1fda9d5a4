import { FLAW_NAMES, type Flaw, flawed } from './events/index.ts';
import {
  type Expr,
  type Flavour,
  type Pipeline,
  queryOf,
  type Run,
  readsOf,
  type Select,
  tablesOf,
} from './pipeline.ts';

/** What a pipeline can have in it: every kind that the issue of the ground truth names, and some more. */
export const KINDS = [
  'projection',
  'rename',
  'expression',
  'cast',
  'hash',
  'mask',
  'filter',
  'semi join',
  'anti join',
  'inner join',
  'left join',
  'right join',
  'full join',
  'self join',
  'union',
  'union without repeats',
  'aggregation',
  'distinct',
  'window',
  'lookup',
  'append',
  'overwrite',
  'overwrite of partitions',
  'merge',
  'update',
  'delete',
  'drop',
  'truncate',
  'view',
  'table made of itself',
  'cycle of two tables',
  'run again',
  'failed run',
] as const;

/** A kind of statement, or of what events lack. */
export type Kind = (typeof KINDS)[number] | Flaw;

/**
 * The kinds that can occur where events are written in a flavour: dbt only makes tables and views and adds to tables; Spark writes
 * no event for a view, and names the tables behind it where one is read, as if the statement had its query in it.
 */
export function kindsIn(flavour: Flavour): readonly Kind[] {
  if (flavour === 'dbt-like') return KINDS.filter((kind) => !NOT_IN_DBT.has(kind));
  const kinds = KINDS.filter((kind) => kind !== 'view');
  return flavour === 'partial' ? [...kinds, ...FLAW_NAMES] : kinds;
}

const NOT_IN_DBT: ReadonlySet<Kind> = new Set<Kind>([
  'overwrite of partitions',
  'merge',
  'update',
  'delete',
  'drop',
  'truncate',
]);

/** Every kind that occurs in the runs of a pipeline that did something; what failed is one kind, whatever it was. */
export function kindsOf(pipeline: Pipeline): ReadonlySet<Kind> {
  const { runs } = pipeline;
  const found = new Set<Kind>();
  if (pipeline.flavour === 'partial') found.add(flawed(pipeline).flaw);
  const done = runs.filter(({ failed }) => !failed);
  if (done.length < runs.length) found.add('failed run');
  if (new Set(done.map(({ statement }) => statement)).size < done.length) found.add('run again');
  for (const run of done) {
    for (const kind of statementKinds(run)) found.add(kind);
    for (const select of queryOf(run.statement)) for (const kind of selectKinds(select, run)) found.add(kind);
  }
  const feeds = new Set(
    done.flatMap(({ statement }) =>
      'query' in statement ? readsOf(statement).map((from) => `${from} ${statement.table}`) : [],
    ),
  );
  for (const feed of feeds) {
    const [from, to] = feed.split(' ') as [string, string];
    if (from !== to && feeds.has(`${to} ${from}`)) found.add('cycle of two tables');
  }
  return found;
}

function* statementKinds({ statement }: Run): Iterable<Kind> {
  const { kind } = statement;
  if (kind === 'overwrite-partitions') yield 'overwrite of partitions';
  else if (kind !== 'create') yield kind;
  const query = queryOf(statement);
  if (query.length > 1) yield query[0]!.distinct ? 'union without repeats' : 'union';
  if (
    'query' in statement &&
    readsOf(statement)
      .slice(kind === 'merge' ? 1 : 0)
      .includes(statement.table)
  )
    yield 'table made of itself';
}

function* selectKinds(select: Select, { target }: Run): Iterable<Kind> {
  if (select.joins.length === 0 && select.groupBy === undefined) yield 'projection';
  if (select.where !== undefined) yield 'filter';
  if (select.semi !== undefined) yield select.semi.anti ? 'anti join' : 'semi join';
  if (select.groupBy !== undefined) yield 'aggregation';
  if (select.distinct) yield 'distinct';
  for (const [at, { type, table }] of select.joins.entries()) {
    yield `${type} join`;
    if (
      tablesOf(select)
        .slice(0, at + 1)
        .includes(table)
    )
      yield 'self join';
  }
  for (const [place, { expr }] of select.outputs.entries()) {
    if (expr.kind === 'column' && expr.of.column !== target.columns[place]!.name) yield 'rename';
    const kind = EXPRESSIONS[expr.kind];
    if (kind !== undefined) yield kind;
  }
}

const EXPRESSIONS: Partial<Record<Expr['kind'], Kind>> = {
  upper: 'expression',
  prefix: 'expression',
  'plus-zero': 'expression',
  concat: 'expression',
  coalesce: 'expression',
  case: 'expression',
  cast: 'cast',
  hash: 'hash',
  mask: 'mask',
  lag: 'window',
  'window-max': 'window',
  'row-number': 'window',
  lookup: 'lookup',
};
