import type { Expr, Query, Ref, Select, Shape, Statement, Window } from './pipeline.ts';
import { duckType } from './world.ts';

/**
 * SQL of a statement for DuckDB. With tags every column `c` has `c#` beside it: the people whose values it was made from, one
 * bit each, worked out by the same joins, groups and windows as the value. A null holds nobody; a count of rows holds nobody.
 */
export function statementSql(statement: Statement, target: Shape, tags = true): string {
  const { table } = statement;
  const names = target.columns.map(({ name }) => name);
  const listed = both(names, tags).join(', ');
  switch (statement.kind) {
    case 'create':
      return `CREATE OR REPLACE TABLE ${table} AS ${querySql(statement.query, target, tags)}`;
    case 'view':
      return `CREATE OR REPLACE VIEW ${table} AS ${querySql(statement.query, target, tags)}`;
    case 'append':
      return `INSERT INTO ${table} (${listed}) ${querySql(statement.query, target, tags)}`;
    case 'overwrite':
      // The new rows are made first: the statement may read its own table.
      return [
        `CREATE OR REPLACE TEMP TABLE incoming AS ${querySql(statement.query, target, tags)}`,
        `DELETE FROM ${table}`,
        `INSERT INTO ${table} (${listed}) SELECT ${listed} FROM incoming`,
      ].join('; ');
    case 'overwrite-partitions':
      return [
        `CREATE OR REPLACE TEMP TABLE incoming AS ${querySql(statement.query, target, tags)}`,
        `DELETE FROM ${table} t WHERE EXISTS (SELECT 1 FROM incoming i WHERE i."${statement.key}" IS NOT DISTINCT FROM t."${statement.key}")`,
        `INSERT INTO ${table} (${listed}) SELECT ${listed} FROM incoming`,
      ].join('; ');
    case 'merge':
      return mergeSql(statement, target, tags);
    case 'update': {
      const { column, where } = statement;
      const scope: Scope = { tags, grouped: false, name: () => '' };
      const sets = [`"${column}" = ${valueSql(statement.to, scope)}`];
      if (tags) sets.push(`"${column}#" = ${safeTag(statement.to, scope)}`);
      return `UPDATE ${table} SET ${sets.join(', ')} WHERE ${likeSql(`"${where.column}"`, where.like)}`;
    }
    case 'delete':
      return `DELETE FROM ${table} WHERE ${likeSql(`"${statement.where.column}"`, statement.where.like)}`;
    case 'truncate':
      return `DELETE FROM ${table}`;
    case 'drop':
      return `DROP TABLE ${table}`;
  }
}

function mergeSql(statement: Extract<Statement, { kind: 'merge' }>, target: Shape, tags: boolean): string {
  const { key, table, query } = statement;
  const names = target.columns.map(({ name }) => name);
  const once = `SELECT * FROM (${querySql(query, target, tags)}) QUALIFY row_number() OVER (PARTITION BY "${key}" ORDER BY ${names.map((name) => `"${name}"`).join(', ')}) = 1`;
  const sets = both(
    names.filter((name) => name !== key),
    tags,
  ).map((column) => `${column} = s.${column}`);
  if (tags) sets.push(`"${key}#" = t."${key}#" | s."${key}#"`);
  const columns = both(names, tags);
  return `MERGE INTO ${table} t USING (${once}) s ON t."${key}" = s."${key}" ${sets.length === 0 ? '' : `WHEN MATCHED THEN UPDATE SET ${sets.join(', ')}`} WHEN NOT MATCHED THEN INSERT (${columns.join(', ')}) VALUES (${columns.map((column) => `s.${column}`).join(', ')})`;
}

function both(names: readonly string[], tags: boolean): readonly string[] {
  return names.flatMap((name) => (tags ? [`"${name}"`, `"${name}#"`] : [`"${name}"`]));
}

function querySql(query: Query, { columns }: Shape, tags: boolean): string {
  const branches = query.map((select) => {
    const named = select.outputs.map((output, place) => ({ ...output, name: columns[place]!.name }));
    return selectSql({ ...select, outputs: named }, columns, tags);
  });
  if (branches.length === 1 || !query[0]!.distinct) return branches.join(' UNION ALL ');
  const names = columns.map(({ name }) => name);
  return tags ? distinctSql(names, branches.join(' UNION ALL ')) : branches.join(' UNION ');
}

/** Equal rows become one: it holds everyone whose rows they were. */
function distinctSql(names: readonly string[], sql: string): string {
  const quoted = names.map((name) => `"${name}"`);
  const ored = names.map((name) => `"${name}", bit_or("${name}#") AS "${name}#"`);
  return `SELECT ${ored.join(', ')} FROM (${sql}) GROUP BY ${quoted.join(', ')}`;
}

interface Scope {
  readonly tags: boolean;
  readonly grouped: boolean;
  /** The name of the table at a place, with its dot. */
  readonly name: (at: number) => string;
}

function selectSql(select: Select, columns: Shape['columns'], tags: boolean): string {
  const scope: Scope = { tags, grouped: select.groupBy !== undefined, name: (at) => `a${at}.` };
  const list = select.outputs.map(({ name, expr }, place) => {
    const plain = valueSql(expr, scope);
    const cast = ['sum', 'count', 'count-rows'].includes(expr.kind);
    const value = `${cast ? `CAST(${plain} AS ${duckType(columns[place]!.type)})` : plain} AS "${name}"`;
    return tags ? `${value}, ${safeTag(expr, scope)} AS "${name}#"` : value;
  });
  const joins = select.joins.map(
    ({ table, type, left, right }, at) =>
      ` ${type.toUpperCase()} JOIN ${table} a${at + 1} ON ${ref(left, scope)} = a${at + 1}."${right}"`,
  );
  const conditions: string[] = [];
  if (select.where !== undefined) {
    const column = ref(select.where.of, scope);
    conditions.push(
      select.where.like === undefined ? `${column} IS NOT NULL` : likeSql(column, select.where.like),
    );
  }
  if (select.semi !== undefined) {
    const { table, column, of, anti } = select.semi;
    const partner = `EXISTS (SELECT 1 FROM ${table} x WHERE x."${column}" = ${ref(of, scope)})`;
    conditions.push(`${anti ? 'NOT ' : ''}${partner}`);
  }
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const group =
    select.groupBy === undefined || select.groupBy.length === 0
      ? ''
      : ` GROUP BY ${select.groupBy.map((of) => ref(of, scope)).join(', ')}`;
  const sql = `SELECT ${list.join(', ')} FROM ${select.from} a0${joins.join('')}${where}${group}`;
  if (!select.distinct) return sql;
  if (!tags) return sql.replace('SELECT', 'SELECT DISTINCT');
  return distinctSql(
    select.outputs.map(({ name }) => name),
    sql,
  );
}

function valueSql(expr: Expr, scope: Scope): string {
  switch (expr.kind) {
    case 'column':
      return ref(expr.of, scope);
    case 'upper':
      return `upper(${ref(expr.of, scope)})`;
    case 'prefix':
      return `substr(${ref(expr.of, scope)}, 1, 3)`;
    case 'mask':
      return `('***' || right(${ref(expr.of, scope)}, 2))`;
    case 'cast':
      return `CAST(${ref(expr.of, scope)} AS VARCHAR)`;
    case 'plus-zero':
      return `(${ref(expr.of, scope)} + 0)`;
    case 'hash':
      return `md5(CAST(${ref(expr.of, scope)} AS VARCHAR))`;
    case 'concat':
      return `(${ref(expr.of, scope)} || ' ' || ${ref(expr.and, scope)})`;
    case 'coalesce':
      return `coalesce(${ref(expr.of, scope)}, ${ref(expr.and, scope)})`;
    case 'case':
      return `CASE WHEN ${ref(expr.and, scope)} IS NOT NULL THEN ${ref(expr.of, scope)} END`;
    case 'constant':
      return `CAST(${expr.value === null ? 'NULL' : `'${expr.value}'`} AS ${duckType(expr.type)})`;
    case 'count-rows':
      return 'count(*)';
    case 'row-number':
      return `row_number() OVER (${windowSql(expr.over!, scope)})`;
    case 'count':
      return `count(${ref(expr.of, scope)})`;
    case 'max':
      return `max(${ref(expr.of, scope)})`;
    case 'sum':
      return `sum(${ref(expr.of, scope)})`;
    case 'list':
      return `string_agg(${ref(expr.of, scope)}, ',' ORDER BY ${ref(expr.of, scope)})`;
    case 'lag':
      return `lag(${ref(expr.of, scope)}) OVER (${windowSql(expr.over, scope)})`;
    case 'window-max':
      return `max(${ref(expr.of, scope)}) OVER (PARTITION BY ${ref(expr.over.partition, scope)})`;
    case 'lookup':
      return `(SELECT max(x."${expr.column}") FROM ${expr.table} x WHERE x."${expr.key}" = ${ref(expr.by, scope)})`;
  }
}

/** The tag of a value: nobody where the value is null. */
function safeTag(expr: Expr, scope: Scope): string {
  const tag = tagSql(expr, scope);
  // The tag of a null is nobody's already.
  if (expr.kind === 'column' && !scope.grouped) return tag;
  return tag === '0' ? '0' : `CASE WHEN ${valueSql(expr, scope)} IS NULL THEN 0 ELSE coalesce(${tag}, 0) END`;
}

/** Who is in a value, by the meaning of the expression alone. */
function tagSql(expr: Expr, scope: Scope): string {
  const own = (of: Ref): string => `coalesce(${tagRef(of, scope)}, 0)`;
  // In a group the value of a grouping column came out of every row of the group.
  const whole = (tag: string): string => (scope.grouped ? `bit_or(${tag})` : tag);
  switch (expr.kind) {
    case 'constant':
    case 'count-rows':
    case 'count':
    case 'row-number':
      return '0';
    case 'concat':
      return whole(`(${own(expr.of)} | ${own(expr.and)})`);
    case 'coalesce':
      return whole(
        `CASE WHEN ${ref(expr.of, scope)} IS NOT NULL THEN ${own(expr.of)} ELSE ${own(expr.and)} END`,
      );
    case 'max':
    case 'sum':
    case 'list':
      return `bit_or(${own(expr.of)})`;
    case 'lag':
      return `lag(${own(expr.of)}) OVER (${windowSql(expr.over, scope)})`;
    case 'window-max':
      return `bit_or(${own(expr.of)}) OVER (PARTITION BY ${ref(expr.over.partition, scope)})`;
    case 'lookup':
      return `(SELECT bit_or(x."${expr.column}#") FROM ${expr.table} x WHERE x."${expr.key}" = ${ref(expr.by, scope)})`;
    default:
      return whole(own(expr.of));
  }
}

function windowSql({ partition, order }: Window, scope: Scope): string {
  return `PARTITION BY ${ref(partition, scope)} ORDER BY ${ref(order, scope)}`;
}

function ref({ at, column }: Ref, scope: Scope): string {
  return `${scope.name(at)}"${column}"`;
}

function tagRef({ at, column }: Ref, scope: Scope): string {
  return `${scope.name(at)}"${column}#"`;
}

function likeSql(column: string, like: string): string {
  return `CAST(${column} AS VARCHAR) LIKE '${like}'`;
}
