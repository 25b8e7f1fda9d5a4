import type { Lineage } from '../../../lineage/index.ts';
import { ROLE, type RoleMask, roleNames, SHAPE, VALUE } from '../../../lineage/roles.ts';
import type { Plan } from '../plan.ts';
import { keyColumns } from './key-columns.ts';

/** A plan's tables and the passages between them: what the pictures draw. */
export interface TableGraph {
  readonly nodes: readonly TableNode[];
  readonly passages: readonly Passage[];
  /** Columns by lineage's numbers that are keys of the subject, or carry one on its way. */
  readonly keys: ReadonlySet<number>;
}

export interface TableNode {
  readonly table: string;
  /** The place of its step in the plan, or -1 for a table that data only passed through. */
  readonly step: number;
}

/**
 * What a passage carries, the strongest first: an exact copy of a key, other values, or nothing but a say in which rows are
 * there. `unknown`: events do not tell.
 */
export type PassageKind = 'key' | 'values' | 'shape' | 'unknown';

/** From table to table by their places in `nodes`. */
export interface Passage {
  readonly from: number;
  readonly to: number;
  readonly kind: PassageKind;
  /** The key columns that are copied, each with its name there. */
  readonly copies: readonly { readonly from: string; readonly to: string }[];
  /** The source's keys by which the job joins it. */
  readonly joins: readonly string[];
  readonly roles: RoleMask;
  readonly jobs: readonly string[];
}

/** The tables of a plan, those that data passed through on the way to one, and the passages between them. */
export function tableGraph(plan: Plan, lineage: Lineage): TableGraph {
  const steps = new Map(plan.steps.map(({ table }, at) => [table, at]));
  const keys = keyColumns(plan, lineage);
  const found = passagesBetween(lineage, keys);
  const between = passedThrough(steps, found.values());
  const nodes = [...steps.keys(), ...between].map((table) => ({ table, step: steps.get(table) ?? -1 }));
  const places = new Map(nodes.map(({ table }, at) => [table, at]));
  const passages = [...found.values()].flatMap(
    ({ source, target, copies, joins, roles, jobs }): Passage[] => {
      const [from, to] = [places.get(source), places.get(target)];
      if (from === undefined || to === undefined) return [];
      const kind = kindOf(copies.size > 0, roles);
      return [
        {
          from,
          to,
          kind,
          copies: [...copies.values()],
          joins: [...joins].sort(),
          roles,
          jobs: [...jobs].sort(),
        },
      ];
    },
  );
  return { nodes, passages: passages.sort((a, b) => a.from - b.from || a.to - b.to), keys };
}

/**
 * What a passage says of itself in a few words: the key that it copies or joins on, what shaped the rows where nothing else
 * came, and where events do not tell. Plain values say nothing: their line does.
 */
export function passageLabel({ kind, copies, joins, roles }: Passage): string {
  const join = joins.length === 0 ? 'join' : `join on ${joins.join(', ')}`;
  switch (kind) {
    case 'key':
      return `key ${copies.map(({ from, to }) => (from === to ? to : `${from} as ${to}`)).join(', ')}`;
    case 'values':
      return joins.length === 0 ? '' : join;
    case 'shape': {
      const shape = roleNames(roles & SHAPE).map((role) => (role === 'join' ? join : role));
      return shape.length === 0 ? 'read' : shape.join(', ');
    }
    case 'unknown':
      return 'may be anything';
  }
}

interface Found {
  readonly source: string;
  readonly target: string;
  readonly copies: Map<string, { readonly from: string; readonly to: string }>;
  readonly joins: Set<string>;
  readonly jobs: Set<string>;
  roles: RoleMask;
}

/** Every passage of the lineage, keyed by both tables' names as JSON. */
function passagesBetween({ writes, columns }: Lineage, keys: ReadonlySet<number>): Map<string, Found> {
  const found = new Map<string, Found>();
  const between = (source: string, target: string): Found => {
    const key = JSON.stringify([source, target]);
    const known = found.get(key) ?? {
      source,
      target,
      copies: new Map(),
      joins: new Set(),
      jobs: new Set(),
      roles: 0,
    };
    found.set(key, known);
    return known;
  };
  for (const { table, inputs, opaque, job, edges } of writes) {
    for (const input of inputs) {
      if (input === table) continue;
      const passage = between(input, table);
      passage.jobs.add(job);
      if (opaque.includes(input)) passage.roles |= ROLE.unknown;
    }
    for (const [at, from] of edges.from.entries()) {
      const source = columns.tableNames[columns.tables[from]!]!;
      if (source === table) continue;
      const [to, roles] = [edges.to[at]!, edges.roles[at]!];
      const passage = between(source, table);
      passage.roles |= roles;
      passage.jobs.add(job);
      if ((roles & ROLE.join) !== 0 && keys.has(from)) passage.joins.add(columns.names[from]!);
      if ((roles & VALUE) !== ROLE.identity || !keys.has(from) || !keys.has(to)) continue;
      const copy = { from: columns.names[from]!, to: columns.names[to]! };
      passage.copies.set(JSON.stringify(copy), copy);
    }
  }
  return found;
}

function kindOf(copies: boolean, roles: RoleMask): PassageKind {
  if ((roles & ROLE.unknown) !== 0) return 'unknown';
  if (copies) return 'key';
  return (roles & VALUE) !== 0 ? 'values' : 'shape';
}

/** Tables that are no step and lie on a way from one step to another. */
function passedThrough(steps: ReadonlyMap<string, number>, found: Iterable<Found>): readonly string[] {
  const into = new Map<string, string[]>();
  const outOf = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, from: string, to: string): void => {
    const known = map.get(from);
    if (known === undefined) map.set(from, [to]);
    else known.push(to);
  };
  for (const { source, target } of found) {
    add(outOf, source, target);
    add(into, target, source);
  }
  const [down, up] = [closure(steps.keys(), outOf), closure(steps.keys(), into)];
  return [...down].filter((table) => up.has(table) && !steps.has(table)).sort();
}

function closure(starts: Iterable<string>, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set(starts);
  for (const table of seen) for (const other of next.get(table) ?? []) seen.add(other);
  return seen;
}
