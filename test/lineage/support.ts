import { expect } from 'vitest';
import type { Edge, Lineage } from '../../src/lineage/index.ts';
import { readLineage } from '../../src/lineage/index.ts';
import { EventParser } from '../../src/lineage/read/scan/event-parser.ts';
import { type ReadLineage, readLineageBy } from '../../src/lineage/read-lineage.ts';
import { type JobRun, runEvents } from '../support/openlineage.ts';

/** Edges as lines: `a.x -> b.y identity, join`. */
export function lines(edges: readonly Edge[]): readonly string[] {
  return edges.map(
    ({ from, to, roles }) => `${from.table}.${from.column} -> ${to.table}.${to.column} ${roles.join(', ')}`,
  );
}

/** Lineage from bytes, as few events are read, each whole, and as many are, their long parts cut out: it has to be the same. */
export async function readBothWays(options: ReadLineage): Promise<Lineage> {
  const whole = await readLineageBy(new EventParser(Number.POSITIVE_INFINITY), options);
  const cut = await readLineageBy(new EventParser(0), options);
  expect(cut).toEqual(whole);
  return cut;
}

/** Lineage of some runs. */
export function lineageOf(...runs: readonly JobRun[]): Promise<Lineage> {
  return readLineage({ from: [runs.flatMap(runEvents)] });
}
