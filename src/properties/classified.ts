import type { Classification, Governance } from '../governance/governance.ts';
import type { Column, TableDescription } from '../warehouse/warehouse.ts';

/** What may be in a column; what nobody classified fails closed. */
export type Classified = Classification | 'unclassified';

/**
 * The classification of every column that can have statistics: all but structs, lists and maps themselves. A nested column
 * that has none of its own has that of what it is in.
 */
export function classifiedColumns(
  governance: Governance,
  description: Pick<TableDescription, 'table' | 'columns'>,
): readonly { readonly column: Column; readonly classification: Classified }[] {
  const declared = governance.metadata.get(description.table)?.columns;
  return description.columns
    .filter((column) => !['struct', 'list', 'map'].includes(column.type))
    .map((column) => {
      const names = column.path.map((_, depth) => column.path.slice(0, depth + 1).join('.')).reverse();
      const own = [column.name, ...names].find((name) => declared?.has(name));
      const classification = own === undefined ? undefined : declared?.get(own)?.classification;
      return { column, classification: classification ?? 'unclassified' };
    });
}
