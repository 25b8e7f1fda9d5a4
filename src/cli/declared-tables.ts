import type { PlanTable } from '../erasure/index.ts';
import type { Governance } from '../governance/index.ts';
import type { Lineage } from '../lineage/index.ts';

/**
 * The tables and their columns where no warehouse can be asked: what the events' schema facets and the metadata file say of them.
 * Facets can be partial, so the two are joined.
 */
export function declaredTables({ tables }: Lineage, { metadata }: Governance): readonly PlanTable[] {
  const gone = new Set(tables.filter(({ dropped, view }) => dropped || view).map(({ table }) => table));
  const columns = new Map<string, Map<string, PlanTable['columns'][number]>>();
  const add = (table: string, declared: PlanTable['columns']): void => {
    const known = columns.get(table) ?? new Map();
    for (const column of declared) known.set(column.name, known.get(column.name) ?? column);
    columns.set(table, known);
  };
  for (const { table, mapped, columns: declared } of tables) if (mapped) add(table, declared);
  for (const { table, columns: declared } of metadata.values()) {
    add(
      table,
      [...declared.keys()].map((name) => ({ name })),
    );
  }
  return [...columns]
    .filter(([table]) => !gone.has(table))
    .map(([table, known]) => ({ table, columns: [...known.values()] }));
}
