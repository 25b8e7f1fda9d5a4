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
  if ((view.roles & ROLE.unknown) === 0) return found;
  for (const { from, fromTable, to, roles } of view.edges) {
    if (to === view.whole || (roles & ROLE.unknown) === 0 || !reach.hasValue(from)) continue;
    if (view.carrying.get(fromTable) === ROLE.unknown) continue;
    found.set(fromTable, (found.get(fromTable) ?? new Set()).add(to));
  }
  return found;
}

/** Columns of the table that the write's facet leaves out although they can hold a value of the person. */
function unsaidColumns({ model, reach }: Judging, view: WriteView): readonly number[] {
  const readsPeople = view.inputs.some((input) => input !== view.table && reach.values.has(input));
  if (!readsPeople || view.write.rowLevel || view.write.edges.to.every((column) => column === view.whole))
    return [];
  const declared = model.real[view.table]?.columns ?? [];
  const own = model.realColumns[view.table]!;
  const found: number[] = [];
  for (let place = 0; place < own.length; place++) {
    const column = own[place]!;
    if (!isFilledBy(model, column, view.number) && (view.write.parsed || mayHoldText(declared[place]!.type)))
      found.push(column);
  }
  return found;
}

/** Whether an edge of the write comes into the column. */
function isFilledBy({ edges }: PlanModel, column: number, write: number): boolean {
  const { starts, items } = edges.coming;
  for (let at = starts[column]!; at < starts[column + 1]!; at++)
    if (edges.write[items[at]!] === write) return true;
  return false;
}

/** A column whose type can hold a name or an address. Counts and constants of other types need no edge. */
function mayHoldText(type: string | undefined): boolean {
  return type === undefined || /string|text|char|binary|struct|list|map|array|json|variant/i.test(type);
}

function names(model: PlanModel, columns: readonly number[]): string {
  return columns.map((column) => model.columnNames[column]!).join(', ');
}
