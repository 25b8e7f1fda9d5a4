import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { PlanModel } from '../model/model.ts';

/** Columns that hold exact copies of some declared columns, each with the first by name of those that it copies. */
export interface ExactCopies {
  /** Column to the declared column at the end of its chain; a declared column to itself. */
  readonly originOf: ReadonlyMap<number, number>;
  /** Column to the edge that its chain comes in by; declared columns have none. */
  readonly via: ReadonlyMap<number, number>;
  has(column: number): boolean;
}

/**
 * The exact copies of the declared columns `seeds` (rule L5a): a column is one if it is filled by identity alone, and every
 * column that fills it is one too. Self edges say nothing. In a cycle of copies, what hangs on a seed stands.
 *
 * First everything that identity edges reach is taken as a candidate; then each candidate with another input falls, and what
 * it alone held up falls with it. Both are linear in edges.
 */
export function exactCopies(model: PlanModel, seeds: readonly number[]): ExactCopies {
  const declared = new Set(seeds);
  const candidates = originsFrom(model, seeds, () => true).originOf;
  const fallen = new Set<number>();
  const falling = [...candidates.keys()].filter(
    (column) => !declared.has(column) && !fedOnlyBy(model, column, (from) => candidates.has(from)),
  );
  for (let at = 0; at < falling.length; at++) {
    const column = falling[at]!;
    if (fallen.has(column)) continue;
    fallen.add(column);
    for (const edge of model.edges.outOf(column)) {
      const to = model.edges.to[edge]!;
      const fed = (model.edges.roles[edge]! & VALUE) !== 0 && to !== column;
      if (fed && candidates.has(to) && !declared.has(to)) falling.push(to);
    }
  }
  const { originOf, via } = originsFrom(model, seeds, (column) => !fallen.has(column));
  return { originOf, via, has: (column) => originOf.has(column) };
}

/** Columns that identity edges reach from the seeds, with the first seed by name that reaches each. */
function originsFrom(
  model: PlanModel,
  seeds: readonly number[],
  allowed: (column: number) => boolean,
): { readonly originOf: ReadonlyMap<number, number>; readonly via: ReadonlyMap<number, number> } {
  const { edges, columnNames, columnTables, tableNames } = model;
  const nameOf = (column: number): string => `${tableNames[columnTables[column]!]!}.${columnNames[column]!}`;
  const ordered = [...seeds].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const origins = new Map<number, number>(ordered.map((seed) => [seed, seed]));
  const via = new Map<number, number>();
  for (const seed of ordered) {
    const queue = [seed];
    for (let at = 0; at < queue.length; at++)
      for (const edge of edges.outOf(queue[at]!)) {
        const to = edges.to[edge]!;
        if (origins.has(to) || !allowed(to) || !isCopy(model, edge)) continue;
        origins.set(to, seed);
        via.set(to, edge);
        queue.push(to);
      }
  }
  return { originOf: origins, via };
}

/** Whether every value that comes into a column is an exact copy out of columns that `holds` accepts. */
function fedOnlyBy(model: PlanModel, column: number, holds: (from: number) => boolean): boolean {
  for (const edge of model.edges.into(column)) {
    const from = model.edges.from[edge]!;
    if (from === column) continue;
    if ((model.edges.roles[edge]! & ROLE.conditional) !== 0) return false;
    if ((model.edges.roles[edge]! & VALUE) === 0) continue;
    if (!isCopy(model, edge) || !holds(from)) return false;
  }
  return true;
}

/**
 * Whether an edge is an exact copy: identity and no other value role. A union of identity and transformation over sibling
 * runs is neither a proof nor the opposite. Types have to agree where both are known.
 */
function isCopy(model: PlanModel, edge: number): boolean {
  const roles = model.edges.roles[edge]!;
  if ((roles & VALUE) !== ROLE.identity || (roles & (ROLE.conditional | ROLE.window)) !== 0) return false;
  const from = model.types[model.edges.from[edge]!];
  const to = model.types[model.edges.to[edge]!];
  return from === undefined || to === undefined || family(from) === family(to);
}

/** Types whose equal values compare equal, as one. */
function family(type: string): string {
  const name = type.toLowerCase();
  if (/^(tiny|small|big)?int(eger)?$|^(long|short|byte|int\d+)$/.test(name)) return 'integer';
  return /^(string|text|varchar(\(\d+\))?|char(\(\d+\))?)$/.test(name) ? 'text' : name;
}
