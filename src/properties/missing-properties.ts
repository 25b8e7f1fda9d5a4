import type { Governance } from '../governance/governance.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import { propertiesMissingFrom, tableProperties } from './table-properties.ts';

/** What a table should have, and what of it is missing or different. */
export interface PropertyState {
  readonly wanted: Readonly<Record<string, string>>;
  readonly missing: Readonly<Record<string, string>>;
}

/**
 * Compares every table with its generated properties (rule P2): a pipeline that drops and creates its table loses them.
 * Returns all tables in name order; `missing` is empty where nothing is.
 */
export async function missingProperties(options: {
  readonly warehouse: Pick<Warehouse, 'list' | 'describe'>;
  readonly governance: Governance;
}): Promise<ReadonlyMap<string, PropertyState>> {
  const { warehouse, governance } = options;
  const states = new Map<string, PropertyState>();
  for (const table of await warehouse.list()) {
    const description = await warehouse.describe(table);
    states.set(table, {
      wanted: tableProperties(governance, description),
      missing: propertiesMissingFrom(governance, description),
    });
  }
  return states;
}
