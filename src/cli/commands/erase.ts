import {
  type ErasureProgress,
  ErasureRefused,
  erase as eraseEverywhere,
  isClean,
} from '../../erasure/index.ts';
import { scan } from '../../scan/index.ts';
import { EXIT } from '../exit.ts';
import { parseDuration } from '../input/durations.ts';
import { readIds } from '../input/ids.ts';
import { evidenceText } from '../output/evidence-text.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { prose } from '../output/prose.ts';
import { scanProgress } from '../output/scan-progress.ts';
import { scanText } from '../output/scan-text.ts';
import { planOf } from '../planning.ts';
import { rebuildJobs } from '../rebuild-jobs.ts';
import type { Session } from '../session.ts';
import { system } from '../system.ts';
import { type AddCommand, example } from './command.ts';

interface Options {
  readonly request: string;
  readonly day: string;
  readonly minAge?: string;
  readonly dryRun?: boolean;
  readonly idsFile?: string;
}

/** `lethe erase`: the whole job, from plan to evidence (rule E1). */
export const addErase: AddCommand = (program, act) => {
  program
    .command('erase')
    .description('erase people from every table and prove it; refused as a whole before the first change')
    .argument('<subject>', 'the kind of person, as the governance files name it')
    .argument('[ids...]', 'their ids; without any they are read from --ids-file or standard input')
    .requiredOption('--request <id>', 'the id of the request; it must not name the person')
    .requiredOption('--day <day>', 'the day of the work, 2026-10-01')
    .option('--min-age <age>', 'the age from which files that nothing names are removed (default: [files])')
    .option('--dry-run', 'refuse as the job would and say what it would do; change nothing')
    .option('--ids-file <file>', 'one id per line; parts of a composite id are parted by tabs')
    .addHelpText(
      'after',
      example(
        'lethe erase learner 3590 --request erasure-0001 --day 2026-10-01 --dry-run',
        'lethe erase learner --ids-file ids.txt --request erasure-0002 --day 2026-10-01',
      ),
    )
    .action((subject: string, args: readonly string[], options: Options) =>
      act((session) => erase(session, { subject, args, options })),
    );
};

interface Request {
  readonly subject: string;
  readonly args: readonly string[];
  readonly options: Options;
}

async function erase(session: Session, { subject, args, options }: Request): Promise<Outcome> {
  const { io, progress } = session;
  const ids = await readIds(io, { args, file: options.idsFile });
  const config = await session.config();
  const [warehouse, governance] = [await session.warehouse(), await session.governance(options.day)];
  try {
    const evidence = await eraseEverywhere({
      warehouse,
      governance,
      plan: await planOf(session, subject),
      subject,
      ids,
      request: options.request,
      day: options.day,
      ...(options.minAge === undefined ? {} : { minAgeMs: parseDuration(options.minAge) }),
      register: await session.register(),
      state: config.state,
      evidence: config.evidence,
      jobs: rebuildJobs(config, io.env),
      progress: (event) => progress.show(stepOf(event)),
      dryRun: options.dryRun === true,
      clock: system.clock,
      signal: io.signal,
    });
    return {
      exit: evidence.dryRun || isClean(evidence) ? EXIT.done : EXIT.finding,
      document: { ...evidence },
      text: evidenceText(evidence, {
        folder: config.evidence,
        root: warehouse.root === undefined ? null : warehouse.storage.normalize(warehouse.root),
      }),
    };
  } catch (error) {
    if (!(error instanceof ErasureRefused)) throw error;
    const { tables: refused, mentions, traces, begun } = error;
    const report = await scan({ warehouse, traces, progress: scanProgress(progress) });
    return {
      exit: EXIT.refused,
      document: { schemaVersion: SCHEMA_VERSION, refused, mentions, scan: report },
      text:
        [
          begun ? 'Refused; what was begun before stays as it is.' : 'Refused; nothing was changed.',
          ...refused.map(({ table, reason, remedy }) => `${table}: ${reason}. ${remedy}`),
          '',
        ]
          .map(prose)
          .join('') + scanText(report),
    };
  }
}

function stepOf(event: ErasureProgress): Parameters<Session['progress']['show']>[0] {
  const { stage } = event;
  switch (event.kind) {
    case 'stage':
      return { stage, item: '', done: 0, total: null };
    case 'table':
      return { stage, item: event.table, done: event.index - 1, total: event.of };
    case 'done':
      return { stage, item: event.table, done: event.files ?? event.rows ?? 0, total: null };
    case 'file':
      return { stage, item: event.table, done: event.read, total: event.of };
  }
}
