import { TextTable } from '../collect/text-table.ts';
import type { EventPlace } from '../lineage.ts';
import { type Said, saidBy, type WriteContext } from './said.ts';
import type { Part, Statement } from './statements.ts';

/** A statement, with what its retirement is judged by (rule L3). */
export interface DatedWrite {
  readonly said: Said;
  readonly firstSeen: number | null;
  readonly firstAt: EventPlace | null;
  readonly lastRun: string | null;
  readonly lastSeen: number | null;
  readonly lastAt: EventPlace | null;
}

/** Joins the runs of each statement into one write (rules L1b, L1c, L1f), without those that wrote no rows. */
export function writesOf(statements: readonly Statement[], context: WriteContext): readonly DatedWrite[] {
  const known = new Map<string, Said | null>();
  const texts = new TextTable();
  return statements.flatMap((statement) => {
    const key = contentOf(statement, texts);
    let said = known.get(key);
    if (said === undefined) {
      said = saidBy(statement, context);
      known.set(key, said);
    }
    return said === null ? [] : [datedWrite(said, statement.parts)];
  });
}

/** All that {@link saidBy} looks at, by number: equal for statements that say the same. */
function contentOf({ table, parts }: Statement, texts: TextTable): string {
  let content = String(table);
  for (const { run, output } of parts) {
    const sql = run.sql === null ? -1 : texts.number(run.sql);
    const { rowLevel, onlyDeletes, wrapper, replaces, hasStatistics } = output.statement;
    content += `;${run.job},${run.parentJob},${run.producer.name},${sql},${run.inputs.id},${run.repeated.id}`;
    content += `,${output.sets.id},${output.inputs.id},${output.lifecycle.join()},${replaces}`;
    content += `,${flags(run.completed, run.failed, run.incomplete, output.spoken, output.closed)}`;
    content += `,${flags(output.statistics, rowLevel, onlyDeletes, wrapper, hasStatistics)}`;
  }
  return content;
}

/** Some answers as one number. */
function flags(...answers: readonly boolean[]): number {
  return answers.reduce((number, answer) => number * 2 + Number(answer), 0);
}

function datedWrite(said: Said, parts: readonly Part[]): DatedWrite {
  if (parts.length === 1) {
    const { run, output } = parts[0]!;
    const { start: firstSeen, id: lastRun, end: lastSeen } = run;
    return { said, firstSeen, firstAt: output.at, lastRun, lastSeen, lastAt: output.at };
  }
  const starts = parts.flatMap(({ run }) => (run.start === null ? [] : [run.start]));
  const last = latest(parts);
  return {
    said,
    firstSeen: starts.length === 0 ? null : Math.min(...starts),
    firstAt: parts[0]!.output.at,
    lastRun: last.run.id,
    lastSeen: last.run.end,
    lastAt: last.output.at,
  };
}

function latest(parts: readonly Part[]): Part {
  const endOf = ({ run }: Part): number => run.end ?? Number.NEGATIVE_INFINITY;
  return parts.reduce((a, b) => (endOf(b) > endOf(a) ? b : a));
}
