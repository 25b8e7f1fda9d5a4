import { cutoff, type DueRows, dueRows } from '../../retention/index.ts';
import { namedRules } from '../../retention/rules.ts';
import { EXIT } from '../exit.ts';
import { count } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { textTable } from '../output/text-table.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

interface Options {
  readonly day: string;
}

/** `lethe due`: what the retention rules no longer keep on a day (rule R4: undated rows are counted, never due). */
export const addDue: AddCommand = (program, act) => {
  program
    .command('due')
    .description('count the rows that the retention rules no longer keep on a day; changes nothing')
    .requiredOption('--day <day>', 'the day to count for, 2026-10-01')
    .addHelpText('after', example('lethe due --day 2026-10-01', 'lethe due --day 2026-10-01 --json'))
    .action(({ day }: Options) => act((session) => due(session, day)));
};

async function due(session: Session, day: string): Promise<Outcome> {
  const governance = await session.governance(day);
  if ((await session.config()).warehouse === null) {
    const tables = namedRules(governance).map(({ name, rule }) => ({
      table: rule.table,
      rule: name,
      keptFrom: cutoff(rule, day),
      rows: null,
      due: null,
      undated: null,
      held: null,
    }));
    return {
      exit: EXIT.done,
      document: { schemaVersion: SCHEMA_VERSION, day, tables },
      text: `There is no [warehouse], so no row was counted.\n\n${textTable(
        [{ title: 'rule' }, { title: 'kept from' }],
        tables.map(({ rule, keptFrom }) => [rule, keptFrom]),
      )}`,
    };
  }
  const document = await dueRows({ warehouse: await session.warehouse(), governance, day });
  return { exit: EXIT.done, document: { ...document }, text: dueText(document.tables) };
}

/** Rules and their counts as a table; `extra` adds columns of its own. */
export function dueText<Row extends DueRows>(
  rows: readonly Row[],
  extra: readonly { readonly title: string; readonly of: (row: Row) => string }[] = [],
): string {
  return textTable(
    [
      { title: 'rule' },
      { title: 'kept from' },
      { title: 'rows', align: 'right' },
      { title: 'due', align: 'right' },
      { title: 'undated', align: 'right' },
      ...extra.map(({ title }) => ({ title, align: 'right' as const })),
    ],
    rows.map((row) => [
      row.rule,
      row.keptFrom,
      count(row.rows),
      count(row.due),
      count(row.undated),
      ...extra.map(({ of }) => of(row)),
    ]),
  );
}
