import { InputError } from '../../../errors.ts';
import type { ErasureDecision } from '../../../governance/governance.ts';
import type { Match, Step } from '../plan.ts';
import { found, type StepFacts } from './facts.ts';

/**
 * What a person decided where lineage could not tell. It counts only if it answers every cause of the review; otherwise the
 * review stands with what is left open.
 *
 * @throws InputError `plan/no-such-column` where it names a column that the table lacks, `plan/no-key` where it names none to
 * find rows by and lineage knows none
 */
export function applyDecision(facts: StepFacts, review: Step, matches: readonly Match[]): Step {
  const { decision } = facts;
  if (decision === undefined) return review;
  checkColumns(facts, decision);
  const open = review.causes.filter(({ code }) => !decision.answers.includes(code));
  if (open.length > 0) return { ...review, causes: open };
  const by = decision.by.length === 0 ? matches : decidedMatches(facts, decision, matches);
  if (by.length === 0 && (decision.action === 'delete' || decision.action === 'clear')) throw noKey(decision);
  const decided: Step = {
    ...review,
    action: decision.action,
    ...found(decision.action === 'delete' || decision.action === 'clear' ? by : []),
    clear: decision.action === 'clear' ? decision.columns : [],
    job: decision.action === 'rebuild' && facts.rebuild.possible ? facts.rebuild.job : null,
    reason: decision.reason,
    decidedBy: decision.decidedBy,
    causes: [],
    probe: [],
    why: `decided: ${review.why}`,
  };
  return decided;
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
