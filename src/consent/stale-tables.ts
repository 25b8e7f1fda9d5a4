import type { Purpose } from '../governance/governance.ts';
import type { Edge } from '../lineage/lineage.ts';
import type { Instant } from '../values/time.ts';

/** A table built before the last change of a consent that it was filtered by. */
export interface StaleTable {
  readonly table: string;
  /** The jobs to run again, as `namespace name`, sorted. */
  readonly jobs: readonly string[];
  /** Null where it is not known when the table was built. */
  readonly builtAt: Instant | null;
}

/** What tells whether a table is stale. */
export interface StaleOptions {
  readonly lineage: { readonly edges: readonly Edge[] };
  readonly purpose: Purpose;
  /** The last change of anybody's consent to the purpose. */
  readonly changedAt: Instant;
  /** Table to when it was last built. */
  readonly builtAt: ReadonlyMap<string, Instant>;
}

/**
 * The tables built with a consent filter before the last change of consent, and everything built from them, with the jobs to
 * run again (rule C4), sorted by name. Any edge from the purpose's attribute counts, a FILTER like a copy of it: each is a
 * decision taken on an older answer. A table of which it is not known when it was built is stale; so is one built from a
 * stale table, however lately.
 */
export function staleTables({ lineage, purpose, changedAt, builtAt }: StaleOptions): StaleTable[] {
  const outgoing = edgesBySource(lineage.edges);
  const readsConsent = ({ from }: Edge) => from.column === purpose.attribute || from.column === '*';
  const filtered = (outgoing.get(purpose.table) ?? []).filter(readsConsent);
  const isOld = (table: string) => (builtAt.get(table) ?? Number.NEGATIVE_INFINITY) < changedAt;

  const reached = walk(filtered, outgoing, purpose.table);
  const old = [...reached.keys()].filter(isOld);
  const stale = new Set([
    ...old,
    ...walk(
      old.flatMap((table) => outgoing.get(table) ?? []),
      outgoing,
      purpose.table,
    ).keys(),
  ]);
  return [...stale].sort().map((table) => ({
    table,
    jobs: [...reached.get(table)!].sort(),
    builtAt: builtAt.get(table) ?? null,
  }));
}

/** Every table that the edges lead to, at any distance, with the jobs that wrote it on the way. Safe in cycles. */
function walk(
  start: readonly Edge[],
  outgoing: ReadonlyMap<string, readonly Edge[]>,
  origin: string,
): Map<string, Set<string>> {
  const jobs = new Map<string, Set<string>>();
  const queue = [...start];
  for (let edge = queue.pop(); edge !== undefined; edge = queue.pop()) {
    const { table } = edge.to;
    if (table === origin) continue;
    const known = jobs.get(table);
    if (known === undefined) queue.push(...(outgoing.get(table) ?? []));
    jobs.set(table, (known ?? new Set()).add(edge.job));
  }
  return jobs;
}

function edgesBySource(edges: readonly Edge[]): Map<string, Edge[]> {
  const bySource = new Map<string, Edge[]>();
  for (const edge of edges) {
    if (edge.from.table === edge.to.table) continue;
    const known = bySource.get(edge.from.table);
    if (known === undefined) bySource.set(edge.from.table, [edge]);
    else known.push(edge);
  }
  return bySource;
}
