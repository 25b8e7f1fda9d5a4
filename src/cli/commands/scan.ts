import { bindPlan, storedTraces } from '../../erasure/index.ts';
import { InputError } from '../../errors.ts';
import { makeTraces, noteTraces, scan as scanFiles, type Traces, textTraces } from '../../scan/index.ts';
import { readableTables } from '../../warehouse/readable-tables.ts';
import { EXIT } from '../exit.ts';
import { readIds, readLines } from '../input/ids.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { scanProgress } from '../output/scan-progress.ts';
import { scanText } from '../output/scan-text.ts';
import { fittingGovernance, planOf } from '../planning.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

interface Options {
  readonly request?: string;
  readonly traces?: string;
  readonly idsFile?: string;
}

/** `lethe scan`: reads every file that is left for a person's traces (rules S1 to S5); never prints what it found. */
export const addScan: AddCommand = (program, act) => {
  program
    .command('scan')
    .description('read every file under every table for people, with the reader of its format')
    .argument('<subject>', 'the kind of person, as the governance files name it')
    .argument('[ids...]', 'their ids; without any they are read from --ids-file or standard input')
    .option('--request <id>', 'take the traces of an erasure that has not ended yet')
    .option('--traces <file>', 'look for these values too, one per line; - for standard input')
    .option('--ids-file <file>', 'one id per line; parts of a composite id are parted by tabs')
    .addHelpText(
      'after',
      example(
        'lethe scan learner 3590',
        'lethe scan learner 3590 --traces values.txt',
        'lethe scan learner --request r-1',
      ),
    )
    .action((subject: string, args: readonly string[], options: Options) =>
      act((session) => scan(session, { subject, args, options })),
    );
};

interface Request {
  readonly subject: string;
  readonly args: readonly string[];
  readonly options: Options;
}

async function scan(session: Session, request: Request): Promise<Outcome> {
  const warehouse = await session.warehouse();
  const traces = await tracesOf(session, request);
  const report = await scanFiles({ warehouse, traces, progress: scanProgress(session.progress) });
  const { holding, notProven } = report.totals;
  return {
    exit: holding + notProven > 0 ? EXIT.finding : EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, ...report },
    text: scanText(report),
  };
}

async function tracesOf(session: Session, { subject, args, options }: Request): Promise<Traces> {
  const { request, traces: file, idsFile } = options;
  if (request !== undefined) {
    if (args.length > 0 || file !== undefined || idsFile !== undefined) {
      throw new InputError('cli/traces-twice', '--request has its own traces', {
        remedy: 'Leave out ids, --ids-file and --traces, or leave out --request',
      });
    }
    return storedTraces({ state: (await session.config()).state, request });
  }
  const warehouse = await session.warehouse();
  const values = file === undefined ? [] : await readLines(session.io, file);
  const texts = await textTraces({ warehouse, values });
  const idsGiven = args.length > 0 || idsFile !== undefined;
  if (file !== undefined && !idsGiven) return makeTraces({ subject, texts, ids: [] });
  const ids = await readIds(session.io, { args, file: idsFile });
  const governance = await fittingGovernance(session);
  // Of a table that nobody can read no rows are known; the scan calls its files not proven.
  const reading = readableTables(warehouse);
  const bound = await bindPlan({ plan: await planOf(session, subject), ids, warehouse: reading, governance });
  const noted = await noteTraces({ bound, governance, warehouse: reading });
  return makeTraces({
    subject,
    texts: [...noted.texts.reveal(), ...texts],
    ids: noted.ids.reveal(),
    hashes: noted.hashes.reveal(),
  });
}
