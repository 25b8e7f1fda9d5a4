import type { Governance } from '../governance.ts';
import type { Names } from './names.ts';

/** Tables that `lineage.toml` names. A pattern's table is known only when a dataset meets it. */
export function checkLineageNames(names: Names, governance: Governance): void {
  for (const { table, at } of governance.names.datasets) {
    names.table(table, { at, what: 'A dataset name' });
  }
  for (const source of governance.names.sources.keys()) {
    if (!source.includes('*')) names.table(source, { at: null, what: 'A declared source' });
  }
}
