import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkEvidence } from '../../erasure/index.ts';
import { InputError } from '../../errors.ts';
import { EXIT } from '../exit.ts';
import { counted } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { printableLines } from '../output/printable.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

interface Options {
  readonly last?: string;
}

/** `lethe evidence check`: verifies the evidence folder offline (rule E8). */
export const addEvidence: AddCommand = (program, act) => {
  const evidence = program.command('evidence').description('work with the evidence of erasures');
  evidence
    .command('check')
    .description('verify that every evidence file is as it was written, and that none is missing')
    .argument('[folder]', 'the folder (default: the one of lethe.toml)')
    .option('--last <digest>', 'the newest digest that was noted elsewhere, so that a cut end is seen')
    .addHelpText(
      'after',
      example('lethe evidence check', 'lethe evidence check copy/of/evidence --last 5f0c…'),
    )
    .action((folder: string | undefined, options: Options) =>
      act((session) => check(session, folder, options)),
    );
};

async function check(session: Session, named: string | undefined, { last }: Options): Promise<Outcome> {
  const folder = named === undefined ? (await session.config()).evidence : resolve(session.io.cwd, named);
  if (!existsSync(folder)) {
    throw new InputError('cli/no-evidence', `There is no folder ${folder}`, {
      remedy: 'Check the path of the evidence; the first erasure makes the folder',
    });
  }
  const { bundles, problems } = await checkEvidence(folder, last === undefined ? {} : { last });
  return {
    exit: problems.length > 0 ? EXIT.finding : EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, folder, bundles, problems },
    text: printableLines([
      `${counted(bundles.length, 'evidence file')} in ${folder}, ${counted(problems.length, 'problem')}`,
      ...problems.map(({ file, what }) => `${file}: ${what}`),
    ]),
  };
}
