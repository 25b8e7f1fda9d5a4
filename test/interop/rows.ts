import { type Schema, Table } from 'apache-arrow';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';

/** Rows and schema of a table in one comparable form, whichever implementation read them; the order of rows left out. */
export interface ComparableRows {
  readonly columns: readonly string[];
  /** One text for each row, sorted. */
  readonly rows: readonly string[];
}

/** All rows that Lethe reads. */
export async function readAll(warehouse: Warehouse, table: string): Promise<Table> {
  const batches = [];
  for await (const batch of warehouse.read(table)) batches.push(batch);
  return new Table(batches);
}

export function comparable(table: Table): ComparableRows {
  const vectors = table.schema.fields.map((_, at) => table.getChildAt(at)!);
  const rows = Array.from({ length: table.numRows }, (_, row) =>
    JSON.stringify(vectors.map((vector) => plain(vector.get(row)))),
  );
  return { columns: columnsOf(table.schema), rows: rows.sort() };
}

/** Names and types; how wide the offsets of texts and lists are is the reader's own affair. */
function columnsOf(schema: Schema): readonly string[] {
  return schema.fields.map((field) => `${field.name} ${String(field.type).replaceAll('Large', '')}`);
}

function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  if (typeof value === 'object' && Symbol.iterator in value)
    return [...(value as Iterable<unknown>)].map(plain);
  if (typeof value === 'object')
    return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one));
  return value;
}
