import type { Governance } from '../governance.ts';
import type { Names } from './names.ts';

const NESTING = new Set(['struct', 'list', 'map']);

/** The classified columns against the tables, and the tables' columns against the classifications. */
export function checkMetadata(names: Names, governance: Governance): void {
  for (const metadata of governance.metadata.values()) {
    const origin = { at: metadata.at, what: 'The metadata' };
    const table = names.table(metadata.table, origin);
    for (const column of metadata.key) names.column(table, column, origin);
    for (const [column, { at }] of metadata.columns)
      names.column(table, column, { at, what: 'The classification' });
  }
  for (const { table, columns } of names.all()) {
    const metadata = governance.metadata.get(table);
    for (const { name, type } of columns) {
      if (metadata?.columns.has(name) || NESTING.has(type ?? '')) continue;
      names.add(
        'unclassified',
        { at: metadata?.at ?? null, what: '' },
        {
          level: 'warning',
          table,
          column: name,
          message: 'Nobody classified this column, so it is treated as personal',
          remedy: `Classify it in metadata.toml, under [tables.${JSON.stringify(table)}.columns]`,
        },
      );
    }
  }
}
