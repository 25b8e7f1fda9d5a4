import type { BoundPlan } from '../../erasure/bound-plan.ts';
import type { Governance, QualifiedColumn } from '../../governance/governance.ts';
import { always, and } from '../../predicate/index.ts';
import { notTrue } from '../../predicate/not-true.ts';
import type { Predicate } from '../../predicate/predicate.ts';
import type { TableDescription } from '../../warehouse/warehouse.ts';
import type { OthersColumns } from './others.ts';

/** What {@link othersColumns} needs. */
export interface OthersOptions {
  readonly bound: BoundPlan;
  readonly governance: Governance;
  readonly tables: readonly TableDescription[];
}

/**
 * Columns that exist, with the rows that are other people's. In a table where the plan has no keys, nobody can tell whose rows they are; it
 * is left out, so that the person's own values never count as shared.
 */
export function othersColumns(
  sought: readonly QualifiedColumn[],
  { bound, governance, tables }: OthersOptions,
): readonly OthersColumns[] {
  const own = new Set(governance.subjects.get(bound.plan.subject)?.identifying.map(({ table }) => table));
  return tables.flatMap(({ table, columns }) => {
    const where = rowsOfOthers(bound, { table, isOwn: own.has(table) });
    if (where === null) return [];
    const here = columns.filter(({ name }) =>
      sought.some((one) => one.table === table && one.column === name),
    );
    return [true, false].flatMap((text) => {
      const names = here.filter(({ type }) => (type === 'string') === text).map(({ name }) => name);
      return names.length === 0 ? [] : [{ table, columns: names, text, where }];
    });
  });
}

/** Which rows of a table are other people's; null where nobody can tell. */
function rowsOfOthers(
  { steps }: BoundPlan,
  { table, isOwn }: { readonly table: string; readonly isOwn: boolean },
): Predicate | null {
  const bound = steps.find(({ step }) => step.table === table);
  if (bound === undefined) return isOwn ? null : always();
  if (bound.keys.length === 0) return null;
  const theirs = [bound.where, ...(bound.clears === undefined ? [] : [bound.clears])];
  return and(...theirs.map((where) => notTrue(where.reveal())));
}

/** Columns that a plan clears: their values are sought as identifying ones are. */
export function clearedColumns({ steps }: BoundPlan): readonly QualifiedColumn[] {
  return steps.flatMap(({ step }) => step.clear.map(({ column }) => ({ table: step.table, column })));
}
