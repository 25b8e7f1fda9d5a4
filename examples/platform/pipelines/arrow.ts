import {
  Bool,
  type DataType,
  DateDay,
  Float64,
  Int32,
  Int64,
  Table,
  TimestampMicrosecond,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import type { ColumnDefinition, Warehouse } from 'lethe/warehouse';

/** A row to be written: column name to value; a `long` is a number or a bigint, an instant or a day milliseconds since 1970. */
export type NewRow = Readonly<Record<string, unknown>>;

/** Rows as an Arrow table with exactly these columns; what a row does not say is null. */
export function arrowTable(columns: readonly ColumnDefinition[], rows: readonly NewRow[]): Table {
  const vectors = columns.map(({ name, type }): [string, Vector] => [name, vector(type, rows, name)]);
  return new Table(Object.fromEntries(vectors));
}

function vector(type: string, rows: readonly NewRow[], name: string): Vector {
  const arrow = arrowTypes[type];
  if (arrow === undefined) throw new Error(`The example platform has no columns of type ${type}.`);
  const values = rows.map((row) => row[name] ?? null);
  return vectorFromArray(type === 'long' ? values.map(toBigInt) : values, arrow());
}

const toBigInt = (value: unknown): bigint | null =>
  value === null ? null : BigInt(value as number | bigint);

/** Iceberg's types as the platform's tables use them. */
const arrowTypes: Readonly<Record<string, () => DataType>> = {
  long: () => new Int64(),
  int: () => new Int32(),
  double: () => new Float64(),
  string: () => new Utf8(),
  boolean: () => new Bool(),
  date: () => new DateDay(),
  timestamptz: () => new TimestampMicrosecond('UTC'),
};

/** The values of some columns, a batch at a time and column by column: a table of any size is counted without an object for each row. */
export async function* readColumns(
  warehouse: Warehouse,
  table: string,
  columns: readonly string[],
): AsyncGenerator<readonly (readonly unknown[])[]> {
  for await (const batch of warehouse.read(table, { columns })) {
    yield columns.map((name) => batch.getChild(name)!.toJSON());
  }
}

/** A row that was read: ids are bigints, instants and days milliseconds since 1970. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** The rows of a table, only the columns that are asked for. */
export async function* readRows(
  warehouse: Warehouse,
  table: string,
  columns: readonly string[],
): AsyncGenerator<ReadRow> {
  for await (const batch of warehouse.read(table, { columns })) {
    const vectors = columns.map((name): [string, Vector | null] => [name, batch.getChild(name)]);
    for (let row = 0; row < batch.numRows; row++) {
      yield Object.fromEntries(vectors.map(([name, values]) => [name, values?.get(row) ?? null]));
    }
  }
}
