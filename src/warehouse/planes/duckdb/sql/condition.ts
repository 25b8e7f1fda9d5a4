import { columnsOf, compileSql, type Predicate } from '../../../../predicate/index.ts';
import { type Column, columnNamed } from '../columns.ts';

/** A condition over a relation whose top-level columns are `f<id>`, and the top-level field ids that it reads. */
export interface Condition {
  /** `c<id>` for each column that the condition reads. */
  readonly select: readonly string[];
  readonly where: string;
  readonly fieldIds: readonly number[];
}

/**
 * Compiles a predicate against columns known by field id, so that names with dots, quotes or differing only in case mean
 * what they say.
 *
 * @throws InputError `plane/no-such-column`, and what `compileSql` throws.
 */
export function condition(
  table: string,
  columns: ReadonlyMap<string, Column>,
  predicate: Predicate,
): Condition {
  const used = columnsOf(predicate).map((name) => columnNamed(columns, table, name));
  const where = compileSql(predicate, 'duckdb', {
    columns: used.map(({ name, field }) => ({
      name,
      path: [`c${field.id}`],
      type: typeof field.type === 'string' ? field.type : field.type.type,
    })),
  });
  return {
    select: used.map(({ sql, field }) => `${withNaN(sql, field.type)} AS c${field.id}`),
    where,
    fieldIds: used.map(({ path }) => path[0]!.id),
  };
}

/**
 * Parquet's statistics leave NaN out, and DuckDB passes over the row groups whose largest number is too small; NaN is above all
 * numbers. A value that NaN is written into again is one that DuckDB asks no statistics of the file about.
 */
function withNaN(sql: string, type: Column['field']['type']): string {
  if (type !== 'float' && type !== 'double') return sql;
  return `CASE WHEN isnan(${sql}) THEN CAST('NaN' AS ${type.toUpperCase()}) ELSE ${sql} END`;
}
