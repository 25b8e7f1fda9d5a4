import type { Predicate } from '../predicate/predicate.ts';
import type { Tuple, Warehouse } from '../warehouse/warehouse.ts';
import { isWhole, tupleIn } from './tuple-predicate.ts';

/**
 * Bridge values of rows that the person once had and that a snapshot still holds: such a row was deleted, and its copies may not have
 * been. A value that stands in any row now is left out: that row is not the person's, or its value is known already.
 */
export async function pastValues(
  warehouse: Pick<Warehouse, 'distinct'>,
  table: string,
  known: {
    readonly columns: readonly string[];
    /** The person's rows. */
    readonly where: Predicate;
    /** What the person's rows hold now. */
    readonly values: readonly Tuple[];
  },
): Promise<readonly Tuple[]> {
  const { columns, where, values } = known;
  if (where.kind === 'never') return [];
  const seen = new Set(values.map((tuple) => JSON.stringify(tuple)));
  const past = new Map<string, Tuple>();
  for await (const tuple of warehouse.distinct(table, columns, where, { past: true })) {
    const name = JSON.stringify(tuple);
    if (isWhole(tuple) && !seen.has(name)) past.set(name, tuple);
  }
  if (past.size === 0) return [];
  for await (const tuple of warehouse.distinct(table, columns, tupleIn(columns, [...past.values()]))) {
    past.delete(JSON.stringify(tuple));
  }
  return [...past.values()];
}
