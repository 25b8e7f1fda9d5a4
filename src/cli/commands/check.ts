import { checkGovernance, type Finding, GovernanceError } from '../../governance/index.ts';
import { missingProperties } from '../../properties/index.ts';
import { describeAll } from '../../warehouse/index.ts';
import { faultFindings, planFindings, propertyFindings, refusalFindings } from '../check/finding.ts';
import { EXIT } from '../exit.ts';
import { counted } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { printableLines } from '../output/printable.ts';
import { planOf } from '../planning.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

/** `lethe check`: everything that does not fit between the governance files, the tables and the lineage. */
export const addCheck: AddCommand = (program, act) => {
  program
    .command('check')
    .description('check the governance files against the tables and the lineage; changes nothing')
    .addHelpText('after', example('lethe check', 'lethe check --json'))
    .action(() => act(check));
};

async function check(session: Session): Promise<Outcome> {
  try {
    await session.governance();
  } catch (error) {
    if (!(error instanceof GovernanceError)) throw error;
    const findings = faultFindings(error.faults);
    return {
      exit: EXIT.usage,
      document: { schemaVersion: SCHEMA_VERSION, findings },
      text: printableLines(error.message.split('\n')),
    };
  }
  const findings = [...(await fileFindings(session)), ...(await tableFindings(session))];
  const errors = findings.filter(({ level }) => level === 'error');
  return {
    exit: errors.length > 0 ? EXIT.finding : EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, findings },
    text: printableLines([
      ...findings.map(line),
      `${counted(errors.length, 'error')}, ${counted(findings.length - errors.length, 'warning')}`,
    ]),
  };
}

/** From the files, the events and the names of tables and columns. */
async function fileFindings(session: Session): Promise<readonly Finding[]> {
  const governance = await session.governance();
  const tables = await session.tables();
  // Without tables there is nothing to compare names with.
  const names = tables.length === 0 ? [] : checkGovernance({ governance, tables });
  const plans: Finding[] = [];
  for (const subject of governance.subjects.keys())
    plans.push(...planFindings(await planOf(session, subject)));
  return [...names, ...distinct(plans)];
}

/** From the tables' own settings; none where the configuration has no warehouse. */
async function tableFindings(session: Session): Promise<readonly Finding[]> {
  if ((await session.config()).warehouse === null) return [];
  const [warehouse, governance] = [await session.warehouse(), await session.governance()];
  const refusals = (await describeAll(warehouse)).flatMap(refusalFindings);
  return [...refusals, ...propertyFindings(await missingProperties({ warehouse, governance }))];
}

/** Several kinds of subject can meet the same gap in the lineage. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

function line({ level, code, table, column, file, line: at, message, remedy }: Finding): string {
  const place = file === null ? '' : `${file}:${at ?? 1} `;
  const where = [table, column].filter((name) => name !== null).join('.');
  return `${level} ${code}: ${place}${where === '' ? '' : `${where}: `}${message}. ${remedy}`;
}
