import { REVIEW_CAUSES } from '../../governance/answers.ts';
import type { Governance } from '../../governance/governance.ts';
import { type EventPlace, type Lineage, nameFindings } from '../../lineage/index.ts';
import { gapFindings } from './incomplete.ts';
import type { PlanModel } from './model/model.ts';
import type { PlanFinding, Step } from './plan.ts';
import type { StepFacts } from './steps/facts.ts';

const CAUSES: ReadonlySet<string> = new Set(REVIEW_CAUSES);

/** Decisions that answer causes which a step does not have. A decision may also answer refusals of the job, which planning does not know. */
export function needlessDecisions(
  step: Step,
  { kept, decisions }: Pick<StepFacts, 'kept' | 'decisions'>,
): readonly PlanFinding[] {
  if (step.action === 'review' || (kept === null && step.decidedBy !== null)) return [];
  return decisions.flatMap(({ answers, at }): PlanFinding[] => {
    const asked = answers.filter((code) => CAUSES.has(code));
    if (asked.length === 0) return [];
    const what = `the decision answers ${asked.join(', ')}, which is no question here`;
    return [{ code: 'needless-decision', table: step.table, what, at: lineOf(at) }];
  });
}

/** What the plan was made from, where it is not whole or not sure. */
export function inputFindings(
  model: PlanModel,
  { names, decisions }: Governance,
  lineage: Lineage,
): PlanFinding[] {
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
