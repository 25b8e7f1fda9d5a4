import { jobName } from '../judge/rebuildable.ts';
import type { KeyMatch } from '../keys/key-class.ts';
import { columnName, type PlanModel } from '../model/model.ts';
import type { Reach } from '../model/reach.ts';

/** The chain of copies from the declared column to a column of the match, one line (rule L5h). */
export function chainOf(model: PlanModel, match: KeyMatch): string {
  const edges = chainEdges(model, match);
  return edges.length === 0 ? columnName(model, match.columns[0]!) : pathText(model, edges);
}

/** The edges of the chain of a match's first column, from the declared column on. */
export function chainEdges(model: PlanModel, { keyClass, columns }: KeyMatch): readonly number[] {
  const path: number[] = [];
  const { via } = keyClass.parts[0]!;
  for (let edge = via.get(columns[0]!); edge !== undefined; edge = via.get(model.edges.from[edge]!))
    path.unshift(edge);
  return path;
}

/** How the person's rows came to a table, one line; empty for one that nothing reached. */
export function reachedBy(model: PlanModel, reach: Reach, table: number): string {
  const path = reach.pathTo(table);
  return path.length === 0 ? '' : pathText(model, path);
}

function pathText(model: PlanModel, path: readonly number[]): string {
  const { edges, writes } = model;
  const columns = [edges.from[path[0]!]!, ...path.map((edge) => edges.to[edge]!)];
  const jobs = [...new Set(path.map((edge) => jobName(writes[edges.write[edge]!]!.job)))];
  return `${columns.map((column) => columnName(model, column)).join(' -> ')} (${jobs.join(', ')})`;
}
