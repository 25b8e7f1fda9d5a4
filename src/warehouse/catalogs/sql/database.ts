/** A statement with its values apart from its text: a value never becomes SQL. Made by {@link sql}. */
export interface Statement {
  /** The text around the values; one more than there are values. */
  readonly parts: readonly string[];
  readonly values: readonly (string | null)[];
}

export type Row = Readonly<Record<string, string | null>>;

/**
 * The little that a catalog needs of a database. Each statement is a transaction of its own.
 *
 * Errors: `catalog/unreachable`, `catalog/busy` and `catalog/sql-failed` mean that nothing was done; after
 * `catalog/connection-lost` the statement may have been carried out.
 */
export interface Database {
  /** The address without anything secret. */
  readonly shown: string;
  rows(statement: Statement): Promise<readonly Row[]>;
  /** The number of rows that the statement changed. */
  run(statement: Statement): Promise<number>;
  /** The names of a table's columns, in small letters; none where there is no such table. */
  columns(table: string): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/**
 * Writes a statement; each `${value}` becomes a parameter, and another statement a part of this one.
 *
 * @example
 * sql`SELECT metadata_location FROM iceberg_tables WHERE table_name = ${name}`
 */
export function sql(
  strings: TemplateStringsArray,
  ...inserted: readonly (string | null | Statement)[]
): Statement {
  const parts: string[] = [strings[0] ?? ''];
  const values: (string | null)[] = [];
  const append = (text: string): void => {
    parts[parts.length - 1] += text;
  };
  inserted.forEach((value, index) => {
    if (typeof value === 'string' || value === null) {
      values.push(value);
      parts.push('');
    } else {
      append(value.parts[0] ?? '');
      value.values.forEach((inner, at) => {
        values.push(inner);
        parts.push(value.parts[at + 1] ?? '');
      });
    }
    append(strings[index + 1] ?? '');
  });
  return { parts, values };
}
