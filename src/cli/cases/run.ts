import { Bool, type DataType, TimestampMicrosecond, Utf8 } from 'apache-arrow';
import { consentFilter } from '../../consent/index.ts';
import type { Plan } from '../../erasure/plan/plan.ts';
import { InputError } from '../../errors.ts';
import type { Governance } from '../../governance/index.ts';
import type { TomlTable } from '../../governance/toml/document.ts';
import { columnsOf, evaluate, or, type Predicate } from '../../predicate/index.ts';
import { cutoff, due } from '../../retention/index.ts';
import type { CaseResult, ConsentCase, PlanCase, PolicyCase, RetentionCase } from './case.ts';
import { checkPlan } from './plan-case.ts';
import { arrowRows } from './rows.ts';

/** What cases are run against. */
export interface CaseWorld {
  readonly governance: Governance;
  /** The plan for a kind of subject; asked for by plan cases only. */
  plan(subject: string): Promise<Plan>;
}

/** Runs policy cases, in their order. A case about something that is not declared fails; it does not stop the others. */
export async function runCases(
  cases: readonly PolicyCase[],
  world: CaseWorld,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of cases) {
    const why = await whyNot(one, world);
    results.push({ ...one.at, kind: one.kind, name: one.name, passed: why.length === 0, why });
  }
  return results;
}

async function whyNot(one: PolicyCase, world: CaseWorld): Promise<readonly string[]> {
  try {
    if (one.kind === 'retention') return checkRetention(one, world.governance);
    if (one.kind === 'consent') return checkConsent(one, world.governance);
    return await checkPlanCase(one, world);
  } catch (error) {
    if (error instanceof InputError) return [error.message];
    throw error;
  }
}

/** A row is due when any of the table's rules says so. */
function checkRetention(one: RetentionCase, governance: Governance): readonly string[] {
  const rules = governance.retention.get(one.table);
  if (rules === undefined) return [`no retention rule is for ${one.table}`];
  const cutoffs = rules.map((rule) => cutoff(rule, one.day));
  const defaults = new Map<string, DataType>(
    rules.map(({ countedFrom, format }) => [
      countedFrom,
      format === undefined ? new TimestampMicrosecond('UTC') : new Utf8(),
    ]),
  );
  const keptFrom =
    one.keptFrom === null || cutoffs.includes(one.keptFrom)
      ? []
      : [`it keeps from ${cutoffs.join(', ')}, not ${one.keptFrom}`];
  const predicate = or(...rules.map((rule) => due(rule, one.day)));
  return [
    ...keptFrom,
    ...checkRows(predicate, defaults, [
      { rows: one.due, want: true, otherwise: 'is kept' },
      { rows: one.kept, want: false, otherwise: 'is due' },
    ]),
  ];
}

function checkConsent(one: ConsentCase, governance: Governance): readonly string[] {
  const purpose = governance.purposes.get(one.purpose);
  if (purpose === undefined) return [`no purpose ${one.purpose} is declared`];
  return checkRows(consentFilter(purpose), new Map<string, DataType>([[purpose.attribute, new Bool()]]), [
    { rows: one.given, want: true, otherwise: 'is left out' },
    { rows: one.notGiven, want: false, otherwise: 'is let through' },
  ]);
}

async function checkPlanCase(one: PlanCase, { governance, plan }: CaseWorld): Promise<readonly string[]> {
  if (!governance.subjects.has(one.subject)) return [`no kind of subject ${one.subject} is declared`];
  return checkPlan(one.steps, await plan(one.subject));
}

interface ExpectedRows {
  readonly rows: readonly TomlTable[];
  readonly want: boolean;
  /** What a row is that does not come out as wanted. */
  readonly otherwise: string;
}

function checkRows(
  predicate: Predicate,
  typed: ReadonlyMap<string, DataType>,
  expected: readonly ExpectedRows[],
): readonly string[] {
  const rows = expected.flatMap((each) => each.rows.map((row) => ({ row, ...each })));
  if (rows.length === 0) return [];
  const defaults = new Map<string, DataType>(
    columnsOf(predicate).map((column) => [column, typed.get(column) ?? new Utf8()]),
  );
  const truths = evaluate(
    predicate,
    arrowRows(
      rows.map(({ row }) => row),
      defaults,
    ),
  );
  return rows.flatMap(({ row, want, otherwise }, at) =>
    truths[at] === want ? [] : [`${showRow(row)} ${otherwise}`],
  );
}

/** Cases are written by hand in reviewed files, so their rows may be shown. */
function showRow(row: TomlTable): string {
  const fields = Object.entries(row).map(([name, value]) => {
    const shown = value instanceof Date ? value.toISOString() : JSON.stringify(value);
    return `${name} = ${shown}`;
  });
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
