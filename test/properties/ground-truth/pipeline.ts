/** What a generated pipeline is: plain data, compiled to SQL with tags (`tagged-sql.ts`) and to edges (`edges.ts`). */

export type ColumnType = 'long' | 'string';

/** What a column is about; only the generator uses it, to join and unite what belongs together more often than not. */
export type Domain =
  | 'learner'
  | 'course'
  | 'instructor'
  | 'enrollment'
  | 'review'
  | 'text'
  | 'country'
  | 'number';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly domain: Domain;
}

export interface Shape {
  readonly table: string;
  readonly columns: readonly Column[];
}

/** A column of one of the tables that a select reads, by the place of the table. */
export interface Ref {
  readonly at: number;
  readonly column: string;
}

export interface Window {
  readonly partition: Ref;
  readonly order: Ref;
}

export type Expr =
  | { readonly kind: 'column'; readonly of: Ref }
  | { readonly kind: 'upper' | 'prefix' | 'mask' | 'cast' | 'plus-zero' | 'hash'; readonly of: Ref }
  | { readonly kind: 'concat' | 'coalesce' | 'case'; readonly of: Ref; readonly and: Ref }
  | { readonly kind: 'constant'; readonly value: string | null; readonly type: ColumnType }
  | { readonly kind: 'count-rows' | 'row-number'; readonly over?: Window }
  | { readonly kind: 'count' | 'max' | 'sum' | 'list'; readonly of: Ref }
  | { readonly kind: 'lag' | 'window-max'; readonly of: Ref; readonly over: Window }
  | {
      readonly kind: 'lookup';
      readonly table: string;
      readonly column: string;
      readonly key: string;
      readonly by: Ref;
    };

export interface Output {
  readonly name: string;
  readonly expr: Expr;
}

export interface Join {
  readonly table: string;
  readonly type: 'inner' | 'left' | 'right' | 'full';
  /** A column of an earlier table. */
  readonly left: Ref;
  readonly right: string;
}

export interface Select {
  readonly from: string;
  readonly joins: readonly Join[];
  readonly where?: { readonly of: Ref; readonly like?: string };
  /** Rows for which another table has a partner, or has none. */
  readonly semi?: {
    readonly table: string;
    readonly column: string;
    readonly of: Ref;
    readonly anti: boolean;
  };
  readonly outputs: readonly Output[];
  readonly groupBy?: readonly Ref[];
  readonly distinct: boolean;
}

/** Selects joined by UNION ALL; the first one names the columns. Where the first is distinct, so is the whole: a UNION. */
export type Query = readonly Select[];

export type Statement =
  | {
      readonly kind: 'create' | 'view' | 'append' | 'overwrite';
      readonly table: string;
      readonly query: Query;
    }
  | {
      readonly kind: 'overwrite-partitions';
      readonly table: string;
      readonly query: Query;
      readonly key: string;
    }
  | { readonly kind: 'merge'; readonly table: string; readonly query: Query; readonly key: string }
  | {
      readonly kind: 'update';
      readonly table: string;
      readonly column: string;
      readonly to: Expr;
      readonly where: { readonly column: string; readonly like: string };
    }
  | {
      readonly kind: 'delete';
      readonly table: string;
      readonly where: { readonly column: string; readonly like: string };
    }
  | { readonly kind: 'drop' | 'truncate'; readonly table: string };

/** One run of a job. What failed left no trace in the data, but in the events. */
export interface Run {
  readonly job: string;
  readonly statement: Statement;
  /** The target's columns after it. */
  readonly target: Shape;
  /** A CREATE OR REPLACE of a table that was there. */
  readonly replaces: boolean;
  readonly failed: boolean;
}

/** How the events of a pipeline are written. */
export type Flavour = 'faithful-typed' | 'spark-like' | 'dbt-like' | 'partial';

export interface Pipeline {
  readonly flavour: Flavour;
  /** The person to erase. */
  readonly person: number;
  readonly runs: readonly Run[];
  /** The derived tables that are there in the end. */
  readonly tables: readonly Shape[];
  /** Views, which hold no rows of their own and stand in no list of tables. */
  readonly views: readonly Shape[];
  /** Chooses among a flavour's quirks. */
  readonly quirks: number;
}

/** The tables that a select reads, by place. */
export function tablesOf(select: Select): readonly string[] {
  return [select.from, ...select.joins.map(({ table }) => table)];
}

export function queryOf(statement: Statement): Query {
  return 'query' in statement ? statement.query : [];
}

/** Every table that a statement reads, once for each time that it is named. */
export function readsOf(statement: Statement): readonly string[] {
  const selects = queryOf(statement).flatMap((select) => [
    ...tablesOf(select),
    ...(select.semi === undefined ? [] : [select.semi.table]),
    ...select.outputs.flatMap(({ expr }) => (expr.kind === 'lookup' ? [expr.table] : [])),
  ]);
  const own = ['merge', 'update', 'delete'].includes(statement.kind) ? [statement.table] : [];
  return [...own, ...selects];
}
