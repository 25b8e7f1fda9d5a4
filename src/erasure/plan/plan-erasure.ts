import type { Governance } from '../../governance/governance.ts';
import type { Lineage } from '../../lineage/index.ts';
import { planDigest } from './digest.ts';
import { inputFindings, needlessDecisions } from './findings.ts';
import { unaccountedFor, unmappedDatasets } from './gaps.ts';
import { judgeDerived, judgeSource } from './judge/judge.ts';
import { type DeclaredJob, outsideCircles, rebuildOf } from './judge/rebuildable.ts';
import { Verdicts } from './judge/verdicts.ts';
import { findKeys } from './keys/table-keys.ts';
import { type PlanModel, type PlanTable, planModel } from './model/model.ts';
import { dependencyOrder, rebuildOrder } from './model/order.ts';
import { reachFrom } from './model/reach.ts';
import { declaredIds, loadedFromOutside, subjectOf } from './model/subject.ts';
import type { Plan, PlanFinding, Step } from './plan.ts';
import type { StepFacts } from './steps/facts.ts';
import { KeptTables } from './steps/kept.ts';
import { isRebuilt, stepFor } from './steps/step-for.ts';

/** What an erasure is planned from. */
export interface PlanErasure {
  readonly governance: Governance;
  readonly lineage: Lineage;
  /** The tables of the warehouse with their real columns: a predicate names no others. */
  readonly tables: readonly PlanTable[];
  /** The kind of subject, as `[erasure.subjects]` names it. */
  readonly subject: string;
  /** Jobs that the configuration declares; what they say outranks lineage. */
  readonly jobs?: readonly DeclaredJob[];
}

/**
 * Plans the erasure of one kind of subject (rules L5, L7 and L8): which tables their rows reached, by which keys they are
 * found in each, and what is done. It depends on declarations, columns and lineage alone: no row is read, no person is
 * named, and the same input gives the same plan.
 *
 * ```ts
 * const plan = planErasure({ governance, lineage, tables, subject: 'learner' });
 * ```
 *
 * @throws InputError `plan/no-such-subject`, `plan/no-such-column`
 */
export function planErasure({ governance, lineage, tables, subject, jobs = [] }: PlanErasure): Plan {
  const declared = subjectOf(governance, subject);
  const model = planModel(lineage, tables);
  const outside = loadedFromOutside(model, governance);
  const ids = declaredIds(model, governance, declared, outside);
  const starts = [...new Set([...ids.keys, ...ids.named].map(({ table }) => table))];
  const reach = reachFrom(model, starts);
  const keys = findKeys({ model, governance, ids, reach });
  const kept = new KeptTables(model, governance, subject);

  const isSource = (table: number): boolean => outside(table) && ids.in(table).length > 0;
  const order = dependencyOrder(model, outside);
  const verdicts = new Verdicts(
    (table) => decidedKeys(model, governance, table),
    (table) => keys.subject(table),
  );
  const judging = { model, reach, keys, ids, verdicts };
  verdicts.judgeAll(
    [...reach.tables].sort((a, b) => order.place(a) - order.place(b)),
    (table) => (isSource(table) ? judgeSource(judging, table) : judgeDerived(judging, table)),
    order.feeds,
  );
  const inPlan = [...reach.tables]
    .filter((table) => model.real[table] !== null)
    .map((table) => ({ table, verdict: verdicts.get(table) }))
    .sort(inOrder(model, isSource, order.place))
    .map(({ table, verdict }): StepFacts => {
      const decisions = governance.decisions.get(model.tableNames[table]!) ?? [];
      const rebuild = rebuildOf(model, table, jobs);
      return { model, ids, reach, table, ...kept.judged(table, verdict), rebuild, decisions };
    });
  const rebuilt = new Set(inPlan.filter(isRebuilt).map(({ table }) => table));
  const rebuilds = rebuildOrder(model, (table) => rebuilt.has(table));
  const findings: PlanFinding[] = inputFindings(model, governance, lineage);
  // In a circle of tables that build each other, jobs run in the order in which they read what the others made.
  const steps = inPlan.sort(inOrder(model, isSource, order.circle, rebuilds.place)).map((facts): Step => {
    const rebuild = outsideCircles(facts.rebuild, rebuilds.inCircle(facts.table));
    const step = stepFor({ ...facts, rebuild });
    findings.push(...needlessDecisions(step, facts));
    return step;
  });

  const plan: Plan = {
    schemaVersion: 1,
    subject,
    digest: '',
    steps,
    unmapped: unmappedDatasets(model, lineage),
    unaccounted: unaccountedFor(model, governance, lineage, reach),
    findings,
  };
  return { ...plan, digest: planDigest(plan) };
}

/** The keys by which a decision deletes a table's rows; null where there is none. */
function decidedKeys(
  model: PlanModel,
  { decisions }: Governance,
  table: number,
): readonly (readonly number[])[] | null {
  const deletes = decisions.get(model.tableNames[table]!)?.find(({ action }) => action === 'delete');
  if (deletes === undefined || deletes.by.length === 0) return null;
  return deletes.by.map((name) => [model.columns.find(table, name) ?? -1]);
}

/** Sources by name; what is built from them in the order of their places, each of which breaks the ties of the one before (rule L5). */
function inOrder(
  { tableNames }: PlanModel,
  isSource: (table: number) => boolean,
  ...places: readonly ((table: number) => number)[]
): (a: { readonly table: number }, b: { readonly table: number }) => number {
  return ({ table: a }, { table: b }) => {
    if (isSource(a) !== isSource(b)) return isSource(a) ? -1 : 1;
    if (isSource(a)) return tableNames[a]! < tableNames[b]! ? -1 : 1;
    const place = places.find((of) => of(a) !== of(b));
    return place === undefined ? 0 : place(a) - place(b);
  };
}
