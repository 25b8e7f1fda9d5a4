import type { Edge, Lineage } from '../../src/lineage/index.ts';
import { readLineage } from '../../src/lineage/index.ts';
import { type JobRun, runEvents } from '../support/openlineage.ts';

/** Edges as lines: `a.x -> b.y identity, join`. */
export function lines(edges: readonly Edge[]): readonly string[] {
  return edges.map(
    ({ from, to, roles }) => `${from.table}.${from.column} -> ${to.table}.${to.column} ${roles.join(', ')}`,
  );
}

/** Lineage of some runs. */
export function lineageOf(...runs: readonly JobRun[]): Promise<Lineage> {
  return readLineage({ from: [runs.flatMap(runEvents)] });
}
