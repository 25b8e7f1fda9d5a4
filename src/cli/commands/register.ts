import type { Plan } from '../../erasure/index.ts';
import type { Governance } from '../../governance/index.ts';
import { erasedRows, reapply as reapplyErasures } from '../../register/index.ts';
import { EXIT } from '../exit.ts';
import { parseDuration } from '../input/durations.ts';
import { count, counted } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { prose } from '../output/prose.ts';
import { textTable } from '../output/text-table.ts';
import { fittingGovernance, planOf } from '../planning.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

interface ReapplyOptions {
  readonly minAge?: string;
}

/** `lethe register`: rows of erased people that stand in the tables again, and their end (rule G2). */
export const addRegister: AddCommand = (program, act) => {
  const register = program
    .command('register')
    .description('ask the register of erasures, and erase again who came back');
  register
    .command('check')
    .description('count the rows of erased people in every table; any row is an incident')
    .addHelpText('after', example('lethe register check', 'lethe register check --json'))
    .action(() => act(check));
  register
    .command('reapply')
    .description(
      'erase again who came back with a load, a rebuild or a restore; every table is checked first',
    )
    .option('--min-age <age>', 'the age from which files that nothing names are removed (default: [files])')
    .addHelpText('after', example('lethe register reapply', 'lethe register reapply --min-age 0'))
    .action((options: ReapplyOptions) => act((session) => reapply(session, options)));
};

/** The tables and the plans: with lineage at hand, copies of an id under another name are looked at, too. */
async function lookIn(session: Session, governance: Governance) {
  const { lineage } = await session.config();
  const plans: Plan[] = [];
  if (lineage.length > 0)
    for (const subject of governance.subjects.keys()) plans.push(await planOf(session, subject));
  return { warehouse: await session.warehouse(), governance, plans };
}

async function check(session: Session): Promise<Outcome> {
  const register = await session.register({ mustExist: true });
  const { tables, total } = await erasedRows(register, await lookIn(session, await session.governance()));
  const hits = tables.filter((table) => table.rows > 0);
  const strange = tables.reduce((sum, table) => sum + table.notIds, 0);
  return {
    exit: total > 0 ? EXIT.finding : EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, tables, total },
    text: [
      total === 0
        ? `No row of an erased person in ${counted(tables.length, 'table')}\n`
        : textTable(
            [{ title: 'table' }, { title: 'rows of erased people', align: 'right' }, { title: 'erased by' }],
            hits.map((hit) => [hit.table, count(hit.rows), hit.requests.join(', ')]),
          ),
      strange === 0
        ? ''
        : `${counted(strange, 'value')} in id columns are no ids and could not be looked up\n`,
    ].join(''),
  };
}

async function reapply(session: Session, { minAge }: ReapplyOptions): Promise<Outcome> {
  const register = await session.register({ mustExist: true });
  const { tables, requests, rebuild } = await reapplyErasures({
    register,
    ...(await lookIn(session, await fittingGovernance(session))),
    ...(minAge === undefined ? {} : { minAgeMs: parseDuration(minAge) }),
  });
  return {
    exit: rebuild.length > 0 ? EXIT.finding : EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, tables, requests, rebuild },
    text: [
      tables.length === 0
        ? 'Nobody who was erased is back\n'
        : textTable(
            [
              { title: 'table' },
              { title: 'rows deleted', align: 'right' },
              { title: 'rows cleared', align: 'right' },
            ],
            tables
              .filter(({ rows, rowsCleared }) => rows + rowsCleared > 0)
              .map(({ table, rows, rowsCleared }) => [table, count(rows), count(rowsCleared)]),
          ),
      requests.length === 0 ? '' : prose(`They were erased by ${requests.join(', ')}`),
      rebuild.length === 0 ? '' : prose(`To be built again by their jobs: ${rebuild.join(', ')}`),
    ].join(''),
  };
}
