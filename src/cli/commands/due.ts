import { InputError } from '../../errors.ts';
import type { Governance } from '../../governance/index.ts';
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
  readonly file: readonly string[];
}

/** `lethe due`: what the retention rules no longer keep on a day (rule R4: undated rows are counted, never due). */
export const addDue: AddCommand = (program, act) => {
  program
    .command('due')
    .description('count the rows that the retention rules no longer keep on a day; changes nothing')
    .requiredOption('--day <day>', 'the day to count for, 2026-10-01')
    .option(
      '--file <table=file>',
      'count in a Parquet, CSV or JSON file instead; can be repeated',
      collect,
      [],
    )
    .addHelpText(
      'after',
      example(
        'lethe due --day 2026-10-01',
        'lethe due --day 2026-10-01 --file support.tickets=tickets.parquet',
      ),
    )
    .action((options: Options) => act((session) => due(session, options)));
};

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

async function due(session: Session, { day, file: files }: Options): Promise<Outcome> {
  const governance = await session.governance(day);
  if (files.length > 0) return dueInFiles({ files, governance, day, cwd: session.io.cwd });
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

/** Only the rules of the tables that files were given for. */
async function dueInFiles(given: {
  readonly files: readonly string[];
  readonly governance: Governance;
  readonly day: string;
  readonly cwd: string;
}): Promise<Outcome> {
  // DuckDB is loaded where somebody gives files: it takes a sixth of a second of every command's start.
  const { openTableFiles } = await import('../input/table-files.ts');
  const tables = await openTableFiles(given.files, given.cwd);
  try {
    const { retention: rules } = given.governance;
    const names = await tables.list();
    for (const table of names) if (!rules.has(table)) throw noRule(table, [...rules.keys()]);
    const retention = new Map([...rules].filter(([table]) => names.includes(table)));
    const document = await dueRows({
      warehouse: tables,
      governance: { ...given.governance, retention },
      day: given.day,
    });
    return { exit: EXIT.done, document: { ...document }, text: dueText(document.tables) };
  } finally {
    await tables.close();
  }
}

function noRule(table: string, ruled: readonly string[]): InputError {
  return new InputError('cli/no-rule', `No retention rule is for ${table}`, {
    remedy: `Name one of ${ruled.join(', ') || 'the tables that have one; none has'}`,
    data: { table },
  });
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
