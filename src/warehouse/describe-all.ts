import type { TableDescription, Warehouse } from './warehouse.ts';

/**
 * Describes every table of a warehouse, in the order of their names: what `planErasure` and `checkGovernance` take.
 *
 * @example planErasure({ governance, lineage, tables: await describeAll(warehouse), subject: 'learner' })
 */
export async function describeAll(
  warehouse: Pick<Warehouse, 'list' | 'describe'>,
): Promise<readonly TableDescription[]> {
  const tables: TableDescription[] = [];
  for (const table of await warehouse.list()) tables.push(await warehouse.describe(table));
  return tables;
}
