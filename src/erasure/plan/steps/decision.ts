import { InputError } from '../../../errors.ts';
import type { ErasureDecision } from '../../../governance/governance.ts';
import type { Match, Step } from '../plan.ts';
import { found, type StepFacts } from './facts.ts';

/**
 * What people decided where lineage could not tell. It counts only if every cause of the review is answered; otherwise the
 * review stands with what is left open. Beside a delete another decision may clear columns in the rows that stay: the key of
 * the second person of a row.
 *
 * @throws InputError `plan/no-such-column` where it names a column that the table lacks, `plan/no-key` where it names none to
 * find rows by and lineage knows none, `plan/two-decisions` where the causes are answered in ways that exclude each other
 */
export function applyDecisions(facts: StepFacts, review: Step, matches: readonly Match[]): Step {
  const decisions = facts.decisions.filter(({ answers }) =>
    review.causes.some(({ code }) => answers.includes(code)),
  );
  for (const decision of decisions) checkColumns(facts, decision);
  const open = review.causes.filter(({ code }) => !decisions.some(({ answers }) => answers.includes(code)));
  const all = pairOf(decisions);
  const [first, second] = all;
  if (first === undefined || open.length > 0) return { ...review, causes: open };
  const foundBy = (decision: ErasureDecision): readonly Match[] => {
    if (decision.action !== 'delete' && decision.action !== 'clear') return [];
    const by = decision.by.length === 0 ? matches : decidedMatches(facts, decision, matches);
    if (by.length === 0) throw noKey(decision);
    return by;
  };
  return {
    ...review,
    action: first.action,
    ...found(foundBy(first)),
    clear: all.flatMap(({ columns }) => columns),
    ...(second !== undefined && { clearBy: foundBy(second) }),
    job: first.action === 'rebuild' && facts.rebuild.possible ? facts.rebuild.job : null,
    reason: [...new Set(all.map(({ reason }) => reason))].join('; '),
    decidedBy: [...new Set(all.map(({ decidedBy }) => decidedBy))].join('; '),
    causes: [],
    probe: [],
    why: `decided: ${review.why}`,
  };
}

/** One decision, or a delete and what is cleared beside it. */
function pairOf(decisions: readonly ErasureDecision[]): readonly ErasureDecision[] {
  const [one, other, ...more] = [...decisions].sort(
    (a, b) => Number(b.action === 'delete') - Number(a.action === 'delete'),
  );
  if (one === undefined || other === undefined) return decisions;
  if (one.action === 'delete' && other.action === 'clear' && more.length === 0) return [one, other];
  throw new InputError(
    'plan/two-decisions',
    `Several decisions for ${one.table} answer its review, and each would do something else with it`,
    {
      remedy: 'Let one answer all of its causes; only a delete and a clear go together',
      data: { table: one.table, at: other.at },
    },
  );
}

/** The columns that a decision names: as lineage knows them where it does, else by the ids of the request. */
function decidedMatches(
  { ids }: StepFacts,
  { by }: ErasureDecision,
  matches: readonly Match[],
): readonly Match[] {
  const composite = ids.subject.idColumns.some((form) => form.length > 1 && form.length === by.length);
  const tuples = composite ? [by] : by.map((column) => [column]);
  return tuples.map(
    (columns) =>
      matches.find((match) => match.columns.join('\n') === columns.join('\n')) ?? {
        columns,
        copyOf: null,
        values: { from: 'subject' },
      },
  );
}

function checkColumns({ model, table }: StepFacts, decision: ErasureDecision): void {
  const known = model.real[table]!.columns.map(({ name }) => name);
  for (const column of [...decision.by, ...decision.columns.map((clear) => clear.column)]) {
    if (known.includes(column)) continue;
    throw new InputError(
      'plan/no-such-column',
      `The decision for ${decision.table} names ${column}, which the table lacks`,
      {
        remedy: `Name one of its columns: ${known.join(', ')}`,
        data: { table: decision.table, column, at: decision.at },
      },
    );
  }
}

function noKey({ table, action, at }: ErasureDecision): InputError {
  return new InputError('plan/no-key', `The decision to ${action} in ${table} does not say by which column`, {
    remedy: 'Add by = ["…"], with the column that names the person',
    data: { table, at },
  });
}
