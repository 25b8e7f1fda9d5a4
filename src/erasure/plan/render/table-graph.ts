import type { Lineage } from '../../../lineage/index.ts';
import type { Plan } from '../plan.ts';

/** A plan's tables and the passages between them: what the pictures draw. */
export interface TableGraph {
  readonly nodes: readonly TableNode[];
  /** From table to table by their places in `nodes`. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly jobs: readonly string[] }[];
}

export interface TableNode {
  readonly table: string;
  /** The place of its step in the plan, or -1 for a table that data only passed through. */
  readonly step: number;
}

/** The tables of a plan, those that data passed through on the way, and the edges between them. */
export function tableGraph(plan: Plan, lineage: Lineage): TableGraph {
  const steps = new Map(plan.steps.map(({ table }, at) => [table, at]));
  const feeds = new Map<string, Map<string, Set<string>>>();
  for (const { table, inputs, job } of lineage.writes)
    for (const input of inputs) {
      if (input === table) continue;
      const into = feeds.get(input) ?? new Map<string, Set<string>>();
      feeds.set(input, into.set(table, (into.get(table) ?? new Set<string>()).add(job)));
    }
  const names = new Set(steps.keys());
  for (const table of reachedFrom(plan, feeds)) if (leadsTo(table, feeds, steps)) names.add(table);
  const nodes = [...names].map((table) => ({ table, step: steps.get(table) ?? -1 }));
  const places = new Map(nodes.map(({ table }, at) => [table, at]));
  const edges = nodes.flatMap(({ table }, from) =>
    [...(feeds.get(table) ?? [])].flatMap(([target, jobs]) => {
      const to = places.get(target);
      return to === undefined ? [] : [{ from, to, jobs: [...jobs].sort() }];
    }),
  );
  return { nodes, edges };
}

type Feeds = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

function reachedFrom(plan: Plan, feeds: Feeds): ReadonlySet<string> {
  const reached = new Set(plan.steps.map(({ table }) => table));
  for (const table of reached) for (const next of feeds.get(table)?.keys() ?? []) reached.add(next);
  return reached;
}

/** Whether a table that is no step lies on the way to one. */
function leadsTo(table: string, feeds: Feeds, steps: ReadonlyMap<string, number>): boolean {
  const seen = new Set([table]);
  for (const at of seen)
    for (const next of feeds.get(at)?.keys() ?? []) {
      if (steps.has(next)) return true;
      seen.add(next);
    }
  return false;
}
