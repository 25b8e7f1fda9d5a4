import type { Plan } from '../../erasure/index.ts';
import { erasedRows } from '../../register/index.ts';
import { EXIT } from '../exit.ts';
import { count, counted } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { textTable } from '../output/text-table.ts';
import { planOf } from '../planning.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

/** `lethe register check`: rows of erased people that stand in the tables again (rule G2). */
export const addRegister: AddCommand = (program, act) => {
  const register = program.command('register').description('ask the register of erasures');
  register
    .command('check')
    .description('count the rows of erased people in every table; any row is an incident')
    .addHelpText('after', example('lethe register check', 'lethe register check --json'))
    .action(() => act(check));
};

/** With lineage at hand, copies of an id under another name are looked at too. */
async function plansFor(session: Session, subjects: readonly string[]): Promise<readonly Plan[]> {
  const { lineage } = await session.config();
  return lineage.length === 0 ? [] : Promise.all(subjects.map((subject) => planOf(session, subject)));
}

async function check(session: Session): Promise<Outcome> {
  const register = await session.register({ mustExist: true });
  const governance = await session.governance();
  const { tables, total } = await erasedRows(register, {
    warehouse: await session.warehouse(),
    governance,
    plans: await plansFor(session, [...governance.subjects.keys()]),
  });
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
