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
    select: used.map(({ sql, field }) => `${sql} AS c${field.id}`),
    where,
    fieldIds: used.map(({ path }) => path[0]!.id),
  };
}
