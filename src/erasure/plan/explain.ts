import type { Lineage, Role } from '../../lineage/index.ts';
import { ROLE, roleNames, VALUE } from '../../lineage/roles.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { columnName, type PlanModel, planModel } from './model/model.ts';
import { type Reach, reachFrom } from './model/reach.ts';
import type { Plan, Step } from './plan.ts';

/** Why a table is in the plan: its step, and the ways in which the person's rows came there. */
export interface Explanation {
  readonly step: Step;
  /** One path for each table that the step's table is built from, from a source on. */
  readonly paths: readonly (readonly ExplainedEdge[])[];
}

/** One edge of a path, with what recorded it. */
export interface ExplainedEdge {
  /** `table.column`; column `*` stands for the whole table. */
  readonly from: string;
  readonly to: string;
  readonly roles: readonly Role[];
  /** `namespace name` of the job. */
  readonly job: string;
  /** The newest run that recorded it, and when, in UTC; null where its events say neither. */
  readonly run: string | null;
  readonly at: string | null;
  /** The event of that run that says what the table was made from: its file as it was read, and its line; null where it is unknown. */
  readonly event: { readonly file: string; readonly line: number } | null;
}

/**
 * Explains the step of one table (rule L5h): each path, edge by edge, with the job, the run, the time and the event that recorded it.
 * Null where the plan has no step for the table.
 */
export function explain(plan: Plan, lineage: Lineage, table: string): Explanation | null {
  const step = plan.steps.find((candidate) => candidate.table === table);
  if (step === undefined) return null;
  const model = planModel(lineage, []);
  const number = model.table(table);
  if (number === undefined) return { step, paths: [] };
  const sources = plan.steps.flatMap((candidate) => {
    const declared = candidate.match.some(
      ({ copyOf, values }) => copyOf === null && values.from === 'subject',
    );
    const source = declared && candidate.table !== table ? model.table(candidate.table) : undefined;
    return source === undefined ? [] : [source];
  });
  const reach = reachFrom(model, sources);
  const keys = new Set(step.match.flatMap(({ columns }) => columns));
  return { step, paths: pathsInto(model, reach, number, keys) };
}

/** For each table that feeds this one: the way there, and the most telling edge from it. */
function pathsInto(
  model: PlanModel,
  reach: Reach,
  table: number,
  keys: ReadonlySet<string>,
): readonly (readonly ExplainedEdge[])[] {
  const best = new Map<number, number>();
  const { edges, columnTables, columns, wholes } = model;
  for (const column of [...columns.of(table), wholes[table]!]) {
    if (column < 0) continue;
    for (const edge of edges.into(column)) {
      const source = columnTables[edges.from[edge]!]!;
      if (source === table || !reach.tables.has(source)) continue;
      const known = best.get(source);
      if (known === undefined || weight(model, edge, keys) > weight(model, known, keys))
        best.set(source, edge);
    }
  }
  return [...best]
    .sort(([a], [b]) => (model.tableNames[a]! < model.tableNames[b]! ? -1 : 1))
    .map(([source, edge]) => [...reach.pathTo(source), edge].map((each) => explained(model, each)));
}

/** A key tells most, then a value, then a join; a column tells more than a whole table. */
function weight({ edges, columnNames }: PlanModel, edge: number, keys: ReadonlySet<string>): number {
  const roles = edges.roles[edge]!;
  const value = (roles & VALUE) !== 0;
  const key = value && keys.has(columnNames[edges.to[edge]!]!);
  const join = (roles & ROLE.join) !== 0;
  const column = columnNames[edges.from[edge]!] !== '*';
  return (key ? 8 : 0) + (value ? 4 : 0) + (join ? 2 : 0) + (column ? 1 : 0);
}

function explained(model: PlanModel, edge: number): ExplainedEdge {
  const { edges, writes } = model;
  const write = writes[edges.write[edge]!]!;
  const { lastAt } = write;
  return {
    from: columnName(model, edges.from[edge]!),
    to: columnName(model, edges.to[edge]!),
    roles: roleNames(edges.roles[edge]!),
    job: write.job,
    run: write.lastRun,
    at:
      write.lastSeen === null ? null : `${formatTimestamp(BigInt(Math.trunc(write.lastSeen)) * 1_000_000n)}Z`,
    event: lastAt === null ? null : { file: lastAt.file, line: lastAt.line },
  };
}
