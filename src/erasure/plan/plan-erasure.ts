import { REVIEW_CAUSES } from '../../governance/answers.ts';
import type { ErasureDecision, Governance } from '../../governance/governance.ts';
import { type EventPlace, type Lineage, nameFindings } from '../../lineage/index.ts';
import { planDigest } from './digest.ts';
import { unaccountedFor, unmappedDatasets } from './gaps.ts';
import { gapFindings } from './incomplete.ts';
import { judgeDerived, judgeSource } from './judge/judge.ts';
import { type DeclaredJob, rebuildOf } from './judge/rebuildable.ts';
import { type Verdict, Verdicts } from './judge/verdicts.ts';
import { findKeys } from './keys/table-keys.ts';
import { type PlanModel, type PlanTable, planModel } from './model/model.ts';
import { dependencyOrder } from './model/order.ts';
import { reachFrom } from './model/reach.ts';
import { declaredIds, isLoadedFromOutside, subjectOf } from './model/subject.ts';
import type { Plan, PlanFinding, Step } from './plan.ts';
import { KeptTables } from './steps/kept.ts';
import { stepFor } from './steps/step-for.ts';

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
  const outside = (table: number): boolean => isLoadedFromOutside(model, governance, table);
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
  const reached = [...reach.tables]
    .filter((table) => model.real[table] !== null && !model.views.has(table))
    .sort((a, b) => Number(isSource(b)) - Number(isSource(a)) || rank(model, isSource, order.place, a, b));
  const findings: PlanFinding[] = inputFindings(model, governance, lineage);
  const steps = reached.map((table): Step => {
    const verdict = verdicts.get(table);
    const exception = kept.keeps(table);
    const copied = exception === null ? kept.copiedFrom(table) : [];
    const whole: Verdict = { ...verdict, causes: [...verdict.causes, ...copied] };
    const decisions = governance.decisions.get(model.tableNames[table]!) ?? [];
    const rebuild = rebuildOf(model, table, jobs, order.inCycle);
    const step = stepFor({ model, ids, reach, table, verdict: whole, rebuild, kept: exception, decisions });
    const asked = step.action === 'review' || (exception === null && step.decidedBy !== null);
    for (const decision of asked ? [] : decisions) findings.push(needless(step, decision));
    return step;
  });

  const plan: Plan = {
    schemaVersion: 1,
    subject,
    digest: '',
    steps,
    unmapped: unmappedDatasets(model, lineage),
    unaccounted: unaccountedFor(model, governance, lineage, reach),
    findings: findings.filter(({ what }) => what !== ''),
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

/** Sources by name; what is built from them in dependency order (rule L5). */
function rank(
  model: PlanModel,
  isSource: (table: number) => boolean,
  place: (table: number) => number,
  a: number,
  b: number,
): number {
  if (!isSource(a)) return place(a) - place(b);
  return model.tableNames[a]! < model.tableNames[b]! ? -1 : 1;
}

const CAUSES: ReadonlySet<string> = new Set(REVIEW_CAUSES);

/** A decision may also answer refusals of the job, which planning does not know. */
function needless({ table }: Step, { answers, at }: ErasureDecision): PlanFinding {
  const asked = answers.filter((code) => CAUSES.has(code));
  const what =
    asked.length === 0 ? '' : `the decision answers ${asked.join(', ')}, which is no question here`;
  return { code: 'needless-decision', table, what, at: lineOf(at) };
}

/** What the plan was made from, where it is not whole or not sure. */
function inputFindings(model: PlanModel, { names, decisions }: Governance, lineage: Lineage): PlanFinding[] {
  const findings: PlanFinding[] = [...gapFindings(lineage, names.gaps)];
  for (const { at, ...finding } of nameFindings(lineage, names))
    findings.push(at === null ? finding : { ...finding, at: lineOf(at) });
  for (const [table, columns] of model.phantoms) findings.push(...unknownColumns(model, table, columns));
  for (const { table, answers, at } of [...decisions.values()].flat())
    if (answers.some((code) => CAUSES.has(code)) && model.table(table) === undefined)
      findings.push({
        code: 'needless-decision',
        table,
        what: 'a decision is about it, and there is no such table',
        at: lineOf(at),
      });
  return findings.sort((a, b) => (`${a.code} ${a.table}` < `${b.code} ${b.table}` ? -1 : 1));
}

/** Columns that the table lacks, by the write that fills them and the first event that said so. */
function unknownColumns(model: PlanModel, table: number, columns: readonly number[]): PlanFinding[] {
  const byWrite = new Map<number, string[]>();
  for (const column of columns) {
    const write = model.edges.write[model.edges.into(column)[0]!]!;
    byWrite.set(write, [...(byWrite.get(write) ?? []), besides(model, table, model.columnNames[column]!)]);
  }
  return [...byWrite].map(([write, names]): PlanFinding => {
    const { firstAt } = model.writes[write]!;
    const what = `lineage fills ${names.join(', ')}, which the table lacks`;
    const finding: PlanFinding = { code: 'unknown-column', table: model.tableNames[table]!, what };
    return firstAt === null ? finding : { ...finding, at: lineOf(firstAt) };
  });
}

/** A column of the lineage, with the one of the table that differs from it in case alone (hazard 30). */
function besides(model: PlanModel, table: number, column: string): string {
  const near = model.real[table]!.columns.find(({ name }) => name.toLowerCase() === column.toLowerCase());
  return near === undefined ? column : `${column} (it has ${near.name})`;
}

/** A line of a file; where that file stands is no part of a plan. */
function lineOf({ file, line, run }: EventPlace): EventPlace {
  const place = { file: file.slice(file.lastIndexOf('/') + 1), line };
  return run === undefined ? place : { ...place, run };
}
