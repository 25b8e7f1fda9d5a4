import { ROLE } from '../../../lineage/roles.ts';
import type { PlanModel } from '../model/model.ts';
import type { FoundCause } from './cause.ts';
import type { Judging } from './judging.ts';
import type { WriteView } from './write-view.ts';

/** Columns that took values by an unknown role, and columns that no edge explains (rules L1b, L1d and L1g). */
export function unknownColumns(judging: Judging, view: WriteView): FoundCause[] {
  const { model } = judging;
  const found = [...unknownRoles(judging, view)].map(
    ([source, columns]): FoundCause => ({
      code: 'unknown-edge',
      what: `nothing says how ${names(model, [...columns])} came from ${model.tableNames[source]!}`,
    }),
  );
  const unsaid = unsaidColumns(judging, view);
  if (unsaid.length > 0)
    found.push({ code: 'unknown-edge', what: `no event says what is in ${names(model, unsaid)}` });
  return found;
}

/** Columns by the table that a value of unknown role came from; a table of which nothing else is known is a cause of its own. */
function unknownRoles({ reach }: Judging, view: WriteView): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  for (const { from, fromTable, to, roles } of view.edges) {
    if (to === view.whole || (roles & ROLE.unknown) === 0 || !reach.hasValue(from)) continue;
    if (view.carrying.get(fromTable) === ROLE.unknown) continue;
    found.set(fromTable, (found.get(fromTable) ?? new Set()).add(to));
  }
  return found;
}

/** Columns of the table that the write's facet leaves out although they can hold a value of the person. */
function unsaidColumns({ model, reach }: Judging, view: WriteView): readonly number[] {
  const explained = new Set(view.edges.flatMap(({ to }) => (to === view.whole ? [] : [to])));
  const readsPeople = view.inputs.some((input) => input !== view.table && reach.values.has(input));
  if (!readsPeople || explained.size === 0 || view.write.rowLevel) return [];
  return (model.real[view.table]?.columns ?? []).flatMap(({ name, type }) => {
    const column = model.columns.find(view.table, name)!;
    return explained.has(column) || !(view.write.parsed || mayHoldText(type)) ? [] : [column];
  });
}

/** A column whose type can hold a name or an address. Counts and constants of other types need no edge. */
function mayHoldText(type: string | undefined): boolean {
  return type === undefined || /string|text|char|binary|struct|list|map|array|json|variant/i.test(type);
}

function names(model: PlanModel, columns: readonly number[]): string {
  return columns.map((column) => model.columnNames[column]!).join(', ');
}
