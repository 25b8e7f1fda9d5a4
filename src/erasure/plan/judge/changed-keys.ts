import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { KeyMatch } from '../keys/key-class.ts';
import type { PlanModel } from '../model/model.ts';
import type { FoundCause } from './cause.ts';
import type { WriteView } from './write-view.ts';

/** Keys that a statement may have changed in rows that stay: by the old value they are not found any more (rule L1f). */
export function changedKeys(
  model: PlanModel,
  view: WriteView,
  matches: readonly KeyMatch[],
): readonly FoundCause[] {
  if (!view.write.rowLevel) return [];
  const { table, whole, edges } = view;
  if (edges.some(({ from, to }) => from === whole && to === whole))
    return [
      {
        code: 'unknown-edge',
        what: `no event says which columns of ${model.tableNames[table]!} were changed`,
      },
    ];
  const spoken = edges.some(({ to }) => to !== whole);
  const changed = matches
    .flatMap(({ columns }) => columns)
    .filter((column) => {
      const own = edges.find(({ from, to }) => from === column && to === column);
      if (own === undefined) return spoken;
      return (own.roles & VALUE) !== ROLE.identity || (own.roles & ROLE.conditional) !== 0;
    });
  return changed.length === 0
    ? []
    : [
        {
          code: 'misaligned',
          what: `${[...new Set(changed)].map((column) => model.columnNames[column]!).join(', ')} is changed in place`,
        },
      ];
}
