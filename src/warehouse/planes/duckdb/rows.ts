import type { Predicate } from '../../../predicate/index.ts';
import type { PlaneTable } from '../../data-plane.ts';
import { type Column, columnNamed, columnsByName } from './columns.ts';
import { type Condition, condition } from './sql/condition.ts';
import { type LocalFile, type RelationOptions, relation } from './sql/relation.ts';
import { fileShape, type ShapeField } from './sql/shape.ts';

/** What {@link TableRows.from} is asked for besides. */
export interface RowsOptions extends RelationOptions {
  readonly conditions: readonly Condition[];
  /** Fields that the schema does not have, such as the reserved ones. */
  readonly extra?: readonly ShapeField[];
}

/** The rows of some files of a table, seen through its current schema. */
export class TableRows {
  readonly table: PlaneTable;
  readonly fields: readonly ShapeField[];
  readonly #columns: ReadonlyMap<string, Column>;

  constructor(table: PlaneTable) {
    this.table = table;
    this.fields = fileShape(table.schema);
    this.#columns = columnsByName(table.schema);
  }

  /** Throws `plane/no-such-column`, and what `compileSql` throws. */
  where(predicate: Predicate): Condition {
    return condition(this.table.table, this.#columns, predicate);
  }

  column(name: string): Column {
    return columnNamed(this.#columns, this.table.table, name);
  }

  /**
   * The columns `f<id>` of these top-level fields, and `c<id>` of every column that the conditions read, with `file`.
   */
  from(
    files: readonly LocalFile[],
    fieldIds: Iterable<number>,
    { conditions, ordered = false, extra = [] }: RowsOptions,
  ): string {
    const needed = new Set([...fieldIds, ...conditions.flatMap((one) => one.fieldIds)]);
    const fields = [...this.fields.filter(({ id }) => needed.has(id)), ...extra];
    const select = new Set(conditions.flatMap((one) => one.select));
    return `SELECT ${['*', ...select].join(', ')} FROM (${relation(this.table.table, files, fields, { ordered })})`;
  }
}
