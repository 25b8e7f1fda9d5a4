import { Option } from 'commander';
import { type ConsentStanding, consentFilter, consentStandings } from '../../consent/index.ts';
import { compileSql, type Dialect } from '../../predicate/index.ts';
import { EXIT } from '../exit.ts';
import { formatInstant, parseInstant } from '../input/instants.ts';
import { count } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { prose } from '../output/prose.ts';
import { textTable } from '../output/text-table.ts';
import { fittingGovernance } from '../planning.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

const DIALECTS: readonly Dialect[] = ['duckdb', 'spark', 'trino', 'databricks', 'postgres'];

interface Options {
  readonly at: string;
  readonly dialect: Dialect;
}

/** `lethe consent`: who may be used for what, and which tables were built on an older answer (rules C1 to C5). */
export const addConsent: AddCommand = (program, act) => {
  program
    .command('consent')
    .description(
      'count who may be used for what, and find tables built before a consent changed; changes nothing',
    )
    .requiredOption('--at <instant>', 'as of when, 2026-10-01T09:00:00Z; a day alone is its beginning in UTC')
    .addOption(
      new Option('--dialect <dialect>', 'whose SQL the row filters are written in')
        .choices(DIALECTS)
        .default('duckdb'),
    )
    .addHelpText(
      'after',
      example('lethe consent --at 2026-10-01', 'lethe consent --at 2026-10-01 --dialect trino --json'),
    )
    .action((options: Options) => act((session) => consent(session, options)));
};

async function consent(session: Session, { at, dialect }: Options): Promise<Outcome> {
  const instant = parseInstant(at);
  const governance = await fittingGovernance(session);
  const standings = await consentStandings({
    warehouse: await session.warehouse(),
    governance,
    lineage: await session.lineage(),
    instant,
  });
  const purposes = standings.map((standing) => documentOf(standing, dialect));
  return {
    exit: purposes.some(({ stale }) => stale.length > 0) ? EXIT.finding : EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, at: formatInstant(instant), purposes },
    text: purposes.length === 0 ? 'consent.toml declares no purpose\n' : textOf(purposes),
  };
}

type PurposeDocument = ReturnType<typeof documentOf>;

function documentOf({ purpose, stale, ...counts }: ConsentStanding, dialect: Dialect) {
  const { name, subject, table } = purpose;
  return {
    purpose: name,
    subject,
    table,
    filter: compileSql(consentFilter(purpose), dialect),
    ...counts,
    stale: stale.map(({ table, jobs, builtAt }) => ({
      table,
      jobs,
      builtAt: builtAt === null ? null : formatInstant(builtAt),
    })),
  };
}

function textOf(purposes: readonly PurposeDocument[]): string {
  const counts = textTable(
    [
      { title: 'purpose' },
      { title: 'table' },
      { title: 'rows', align: 'right' },
      { title: 'given', align: 'right' },
      { title: 'rows that it may use' },
    ],
    purposes.map(({ purpose, table, rows, given, filter }) => [
      purpose,
      table,
      count(rows),
      count(given),
      filter,
    ]),
  );
  return `${counts}${purposes.flatMap(remarksOn).map(prose).join('')}`;
}

function remarksOn({ purpose, states, toErase, stale }: PurposeDocument): readonly string[] {
  const recorded = Object.entries(states ?? {}).map(([state, people]) => `${count(people)} ${state}`);
  return [
    ...(recorded.length === 0 ? [] : [`${purpose}, people by their last record: ${recorded.join(', ')}`]),
    ...(toErase === null || toErase === 0
      ? []
      : [`${purpose}: the withdrawal of ${count(toErase)} asks for an erasure`]),
    ...stale.map(
      ({ table, jobs, builtAt }) =>
        `${purpose}: ${table} was built ${builtAt ?? 'nobody knows when'}, before the last change. Run ${jobs.join(', ')} again`,
    ),
  ];
}
