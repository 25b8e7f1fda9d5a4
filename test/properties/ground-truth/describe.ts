import type { Plan } from '../../../src/erasure/plan/index.ts';
import type { Judgement } from './judge.ts';
import type { Pipeline } from './pipeline.ts';
import { statementSql } from './tagged-sql.ts';

/** A pipeline with its plan and what was wrong, for people: shown where a property fails. */
export function describeTrial(pipeline: Pipeline, plan: Plan, { faults }: Judgement): string {
  const runs = pipeline.runs.map(
    ({ job, statement, target, failed }) =>
      `  ${job}${failed ? ' (failed)' : ''}: ${statementSql(statement, target, false)}`,
  );
  const steps = plan.steps
    .filter(({ table }) => table.startsWith('mart.'))
    .map(({ table, action, match, causes, why }) => {
      const by = match.map(({ columns }) => columns.join('+')).join(', ');
      return `  ${table} ${action} ${by} ${causes.map(({ code }) => code).join(', ')}: ${why}`;
    });
  const wrong = faults.map(({ kind, table, rows }) => `  ${table}: ${kind}, ${rows} row(s)`);
  return [
    `person ${pipeline.person}, ${pipeline.flavour}, quirks ${pipeline.quirks}`,
    'ran:',
    ...runs,
    'planned:',
    ...steps,
    'wrong:',
    ...wrong,
  ].join('\n');
}
