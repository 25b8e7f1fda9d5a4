import type { TypedColumn } from '../predicate/index.ts';
import { canonicalId, type IdType, idLiteralIn } from '../values/id.ts';
import type { Literal } from '../values/literal.ts';
import type { Tuple, Warehouse } from '../warehouse/warehouse.ts';
import { isWhole } from './tuple-predicate.ts';

/** The ids of one kind of subject, all of one number of parts. */
export interface IdSet {
  readonly type: IdType;
  readonly ids: readonly (readonly string[])[];
}

/**
 * The constants by which ids are sought in columns of a table, or null where a column's type cannot hold one of them
 * (hazard 4: coerced or refused, never compared by physical type).
 */
export function idTuples(columns: readonly TypedColumn[], { type, ids }: IdSet): readonly Tuple[] | null {
  const tuples: Tuple[] = [];
  for (const id of ids) {
    const tuple = id.map((part, index) => idInColumn(columns[index]!.type, type, part));
    if (!isWhole(tuple)) return null;
    tuples.push(tuple);
  }
  return tuples;
}

/**
 * Whether one id can stand in these columns in several spellings (`3590`, `003590`, `3590.0`; a uuid in any case), so that
 * the spellings must be read from the table.
 */
export function hasSpellings(columns: readonly TypedColumn[], type: IdType): boolean {
  return type !== 'text' && columns.some((column) => column.type === 'string');
}

/** The values with which the ids really stand in the columns, in rows that are hidden or past too, read from the table, streamed. */
export async function spelledTuples(options: {
  readonly warehouse: Pick<Warehouse, 'distinct'>;
  readonly table: string;
  readonly columns: readonly TypedColumn[];
  readonly ids: IdSet;
}): Promise<readonly Tuple[]> {
  const { warehouse, table, columns, ids } = options;
  const wanted = new Set(ids.ids.map((id) => JSON.stringify(id)));
  const found: Tuple[] = [];
  const names = columns.map((column) => column.name);
  for await (const tuple of warehouse.distinct(table, names, undefined, { past: true })) {
    if (!isWhole(tuple)) continue;
    if (wanted.has(JSON.stringify(tuple.map((part) => canonicalId(ids.type, part))))) found.push(tuple);
  }
  return found;
}

/** A value read from one column as a constant for another of `type`, or null where it cannot stand there. */
export function recast(value: Literal, type: string): Literal | null {
  if (value.type === literalType(type)) return value;
  return value.type === 'int' || value.type === 'long' || value.type === 'uuid' || value.type === 'text'
    ? idInColumn(type, value.type, value.value)
    : null;
}

function idInColumn(columnType: string, idType: IdType, canonical: string): Literal | null {
  const literal = idLiteralIn(columnType, canonical);
  if (literal === null) return null;
  // A double cannot tell neighbours apart past 2^53: matching there would take another person's rows.
  if (literal.type === 'double' && !Number.isSafeInteger(Number(canonical))) return null;
  // As text, 003590 and 3590 are two ids, and a number could only be the second.
  if (idType === 'text' && literal.type !== 'text' && literal.value !== canonical) return null;
  return literal;
}

function literalType(icebergType: string): string {
  if (icebergType === 'string') return 'text';
  if (icebergType.startsWith('decimal')) return 'decimal';
  return icebergType.startsWith('fixed') ? 'binary' : icebergType;
}
