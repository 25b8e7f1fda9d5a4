import { quoteText } from '../../../../predicate/index.ts';
import type { Literal } from '../../../../values/literal.ts';
import type { DataFile } from '../../../data-file.ts';
import type { PlaneTable } from '../../../data-plane.ts';
import { type ShapeField, shapeType } from './shape.ts';

/**
 * What a file's identity partitions say of columns that the file itself does not hold, by field id (specification, column
 * projection): files that Hive wrote keep such columns in their path only.
 */
export function partitionConstants(
  { identities }: PlaneTable,
  { specId, partition }: DataFile,
): ReadonlyMap<number, Literal | null> {
  const sources = identities?.get(specId) ?? [];
  return new Map(
    sources.flatMap((id, index) => (id === null ? [] : [[id, partition[index] ?? null] as const])),
  );
}

/** The SQL of a constant of a column's type. */
export function constantValue(field: ShapeField, literal: Literal | null): string {
  const type = shapeType(field.shape);
  if (literal === null) return `CAST(NULL AS ${type})`;
  const text = quoteText('duckdb', String(literal.value));
  return literal.type === 'binary' ? `unhex(${text})` : `CAST(${text} AS ${type})`;
}
