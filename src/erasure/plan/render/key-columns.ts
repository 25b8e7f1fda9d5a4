import type { Lineage } from '../../../lineage/index.ts';
import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { Plan } from '../plan.ts';

/**
 * The columns, by lineage's numbers, that find the person's rows in some table of the plan, and those that carry such a key
 * through tables that are no step of their own (views, topics, files).
 */
export function keyColumns(plan: Plan, { columns, writes }: Lineage): ReadonlySet<number> {
  const named = new Set<string>();
  for (const { table, match } of plan.steps)
    for (const { columns: own, copyOf, values } of match) {
      for (const column of own) named.add(`${table}.${column}`);
      if (copyOf !== null) named.add(copyOf);
      if (values.from === 'rows') for (const column of values.columns) named.add(`${values.table}.${column}`);
    }
  const steps = new Set(plan.steps.map(({ table }) => table));
  const tableOf = (column: number): string => columns.tableNames[columns.tables[column]!]!;
  const keys = new Set<number>();
  for (const [column, name] of columns.names.entries())
    if (named.has(`${tableOf(column)}.${name}`)) keys.add(column);

  const carriedFrom = new Map<number, number[]>();
  for (const { edges } of writes)
    for (const [at, from] of edges.from.entries()) {
      if ((edges.roles[at]! & VALUE) !== ROLE.identity || steps.has(tableOf(from))) continue;
      const to = edges.to[at]!;
      const known = carriedFrom.get(to);
      if (known === undefined) carriedFrom.set(to, [from]);
      else known.push(from);
    }
  for (const key of keys) for (const from of carriedFrom.get(key) ?? []) keys.add(from);
  return keys;
}
