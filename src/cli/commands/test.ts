import { join } from 'node:path';
import { loadCases, runCases } from '../../erasure/index.ts';
import { EXIT } from '../exit.ts';
import { counted } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { printableLines } from '../output/printable.ts';
import { planOf } from '../planning.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

/** `lethe test`: runs the policy cases beside the governance files. */
export const addTest: AddCommand = (program, act) => {
  program
    .command('test')
    .description('run the policy cases in governance/cases: what the rules must decide')
    .addHelpText('after', example('lethe test', 'lethe test --json'))
    .action(() => act(test));
};

async function test(session: Session): Promise<Outcome> {
  const governance = await session.governance();
  const folder = join((await session.config()).governance, 'cases');
  const cases = await loadCases(folder);
  const results = await runCases({ governance, cases, plan: (subject) => planOf(session, subject) });
  const failed = results.filter((result) => !result.passed);
  return {
    exit: failed.length > 0 ? EXIT.finding : EXIT.done,
    document: {
      schemaVersion: SCHEMA_VERSION,
      cases: results,
      passed: results.length - failed.length,
      failed: failed.length,
    },
    text: printableLines([
      ...failed.flatMap(({ at, name, notRun, failures }) => [
        `${at.file}:${at.line} ${name}`,
        ...(notRun === null ? [] : [`  not run: ${notRun}`]),
        ...failures.map(({ file, line, message }) => `  ${file}:${line} ${message}`),
      ]),
      results.length === 0
        ? `There are no cases in ${folder}`
        : `${counted(results.length - failed.length, 'case')} passed, ${failed.length} failed`,
    ]),
  };
}
