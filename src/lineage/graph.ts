import { DirectedGraph } from 'graphology';
import { bfsFromNode } from 'graphology-traversal';
import type { ColumnRef, Lineage, Role } from './lineage.ts';
import { roleNames } from './roles.ts';

/** What a node of the column graph carries. Column `*` stands for the whole table. */
export interface ColumnNode {
  readonly table: string;
  readonly column: string;
}

/** What an edge of the column graph carries. */
export interface ColumnEdge {
  readonly roles: readonly Role[];
  readonly jobs: readonly string[];
}

export type ColumnGraph = DirectedGraph<ColumnNode, ColumnEdge>;

/**
 * The columns of all tables as a graphology graph, made on demand: nodes are keyed by {@link columnKey}, an edge joins the
 * roles of all jobs that wrote it.
 */
export function columnGraph(lineage: Lineage): ColumnGraph {
  const { columns, writes } = lineage;
  const graph: ColumnGraph = new DirectedGraph();
  const keys = columns.names.map((column, at) => {
    const table = columns.tableNames[columns.tables[at]!]!;
    return columnKey({ table, column });
  });
  const node = (at: number): string => {
    graph.mergeNode(keys[at]!, {
      table: columns.tableNames[columns.tables[at]!]!,
      column: columns.names[at]!,
    });
    return keys[at]!;
  };
  for (const { job, edges } of writes)
    for (let at = 0; at < edges.from.length; at++) {
      const [from, to] = [node(edges.from[at]!), node(edges.to[at]!)];
      const roles = roleNames(edges.roles[at]!);
      graph.updateEdge(from, to, (known) => ({
        roles: [...new Set([...(known.roles ?? []), ...roles])],
        jobs: [...new Set([...(known.jobs ?? []), job])],
      }));
    }
  return graph;
}

/** The key of a column in the graph. A newline parts the names, because both may hold dots. */
export function columnKey({ table, column }: ColumnRef): string {
  return `${table}\n${column}`;
}

/**
 * Every column that some columns reach downstream, themselves left out (rule L4): each edge is followed once, so cycles and
 * diamonds cost what their edges cost.
 */
export function downstream(graph: ColumnGraph, from: readonly ColumnRef[]): readonly ColumnRef[] {
  const starts = new Set(from.map(columnKey).filter((key) => graph.hasNode(key)));
  const reached = new Map<string, ColumnRef>();
  for (const start of starts)
    bfsFromNode(
      graph,
      start,
      (key, { table, column }) => {
        const known = reached.has(key);
        if (!known) reached.set(key, { table, column });
        return known && key !== start;
      },
      { mode: 'outbound' },
    );
  return [...reached].filter(([key]) => !starts.has(key)).map(([, column]) => column);
}
