import type { ColumnTable, Edge, Write } from '../lineage.ts';
import { roleNames } from '../roles.ts';

/** All edges of some writes, those of one job joined (rule L1b), sorted by name. */
export function edgesOf(writes: readonly Write[], columns: ColumnTable): readonly Edge[] {
  const byJob = new Map<string, Map<number, Map<number, number>>>();
  for (const { job, edges } of writes) {
    const ofJob = entry(byJob, job, () => new Map<number, Map<number, number>>());
    for (let at = 0; at < edges.from.length; at++) {
      const into = entry(ofJob, edges.to[at]!, () => new Map<number, number>());
      into.set(edges.from[at]!, (into.get(edges.from[at]!) ?? 0) | edges.roles[at]!);
    }
  }
  const refs = columns.names.map((column, at) => ({
    table: columns.tableNames[columns.tables[at]!]!,
    column,
  }));
  const found: Edge[] = [];
  for (const [job, ofJob] of byJob)
    for (const [to, into] of ofJob)
      for (const [from, mask] of into)
        found.push({ from: refs[from]!, to: refs[to]!, roles: roleNames(mask), job });
  return found.sort(
    (a, b) =>
      order(a.to.table, b.to.table) ||
      order(a.to.column, b.to.column) ||
      order(a.from.table, b.from.table) ||
      order(a.from.column, b.from.column) ||
      order(a.job, b.job),
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
