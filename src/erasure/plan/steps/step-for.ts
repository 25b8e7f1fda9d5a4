import type { FoundCause } from '../judge/cause.ts';
import { probesFor } from '../judge/probes.ts';
import type { KeyMatch } from '../keys/key-class.ts';
import { columnName, type PlanModel } from '../model/model.ts';
import type { CauseCode, Match, Step } from '../plan.ts';
import { applyDecisions } from './decision.ts';
import { found, type StepFacts } from './facts.ts';
import { chainOf, reachedBy } from './path.ts';

/** A rebuild from erased sources answers these: what lineage cannot tell does not matter then (rule L5f). */
const ANSWERED_BY_REBUILD: ReadonlySet<CauseCode> = new Set([
  'unknown-edge',
  'table-only',
  'uncovered-source',
  'cast-key',
  'masked-key',
  'misaligned',
  'named-like-a-key',
]);

/** The step of one table (rules L5c to L5h). */
export function stepFor(facts: StepFacts): Step {
  const { model, table, verdict, rebuild, kept } = facts;
  const matches = verdict.matches.map((match) => matchOf(model, match));
  if (kept !== null && (verdict.causes.length === 0 || kept.clear.length === 0))
    return keepStep(facts, matches);
  if (isDeleted(facts)) return { ...base(facts), action: 'delete', ...found(matches), why: whyDelete(facts) };

  const answered = verdict.causes.every(isAnsweredByRebuild);
  if (kept === null && rebuild.possible && answered)
    return { ...base(facts), action: 'rebuild', job: rebuild.job, why: whyRebuild(facts) };

  const causes: FoundCause[] = [...verdict.causes];
  if (causes.length === 0 && facts.reach.values.has(table))
    causes.push({ code: 'uncovered-source', what: 'values of the person came in without a key' });
  // What a column holds is a question by itself, whoever builds the table.
  const others = causes.filter(({ code }) => code !== 'named-like-a-key');
  if (!rebuild.possible && answered && (others.length > 0 || causes.length === 0))
    causes.push({ code: rebuild.code, what: rebuild.why });
  return applyDecisions(facts, reviewStep(facts, matches, causes), matches);
}

/** Whether a table is built again, if its job can be run: by what lineage says, or because a person decided it. */
export function isRebuilt(facts: StepFacts): boolean {
  if (facts.kept !== null) return false;
  if (facts.decisions.some(({ action }) => action === 'rebuild')) return true;
  return !isDeleted(facts) && facts.rebuild.possible && facts.verdict.causes.every(isAnsweredByRebuild);
}

function isDeleted({ kept, verdict }: StepFacts): boolean {
  return kept === null && verdict.causes.length === 0 && verdict.matches.length > 0;
}

function isAnsweredByRebuild({ code, stays }: FoundCause): boolean {
  return stays !== true && ANSWERED_BY_REBUILD.has(code);
}

function keepStep(facts: StepFacts, matches: readonly Match[]): Step {
  const { exception, clear } = facts.kept!;
  const own = exception.table === facts.model.tableNames[facts.table];
  return {
    ...base(facts),
    action: 'keep',
    ...found(matches),
    clear,
    reason: exception.reason,
    decidedBy: exception.decidedBy,
    why: own ? 'an exception keeps its rows' : `the exception for ${exception.table} covers it`,
  };
}

function reviewStep(facts: StepFacts, matches: readonly Match[], causes: readonly FoundCause[]): Step {
  const { model, ids, table, verdict } = facts;
  return {
    ...base(facts),
    action: 'review',
    ...found(matches),
    causes: causes.map(({ code, what }) => ({ code, what })),
    probe: probesFor({ model, ids, table, matches: verdict.matches, causes }),
    why: `${causes[0]?.what ?? 'lineage cannot tell'}${via(facts)}`,
  };
}

/** A step in which nothing is decided yet. */
function base({ model, table }: StepFacts): Step {
  return {
    table: model.tableNames[table]!,
    action: 'review',
    match: [],
    column: null,
    copyOf: null,
    clear: [],
    job: null,
    reason: null,
    decidedBy: null,
    causes: [],
    probe: [],
    why: '',
  };
}

/** A match by names, for people and for binding. */
export function matchOf(model: PlanModel, { keyClass, columns, origin }: KeyMatch): Match {
  const names = (all: readonly number[]): readonly string[] =>
    all.map((column) => model.columnNames[column]!);
  return {
    columns: names(columns),
    copyOf: origin === null ? null : origin.map((column) => columnName(model, column)).join(','),
    values:
      keyClass.kind === 'subject'
        ? { from: 'subject' }
        : {
            from: 'rows',
            table: model.tableNames[keyClass.table]!,
            columns: names(keyClass.declared[0]!.columns),
          },
  };
}

function whyDelete({ model, verdict, ids }: StepFacts): string {
  const first = verdict.matches[0]!;
  if (first.origin === null) {
    const names = first.columns.map((column) => model.columnNames[column]!).join(', ');
    return `${names} is declared to hold the id of a ${ids.subject.name}`;
  }
  const copied =
    first.keyClass.kind === 'subject' ? 'an exact copy of the id' : 'an exact copy of the key of their row';
  return `${copied}: ${chainOf(model, first)}`;
}

function whyRebuild(facts: StepFacts): string {
  const { model, reach, verdict, table } = facts;
  const path = reachedBy(model, reach, table);
  const reason =
    verdict.causes[0]?.what ??
    (reach.values.has(table) ? 'values came in and no key of theirs' : 'their rows decided what is in it');
  return `${reason}${path === '' ? '' : `: ${path}`}`;
}

function via({ model, reach, table }: StepFacts): string {
  const path = reachedBy(model, reach, table);
  return path === '' ? '' : `: ${path}`;
}
