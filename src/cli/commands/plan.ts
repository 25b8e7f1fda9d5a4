import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import * as z from 'zod';
import {
  explain,
  openQuestions,
  type Plan,
  planDiff,
  planDiffMarkdown,
  planHtml,
  planMermaid,
  planText,
  runProbes,
} from '../../erasure/index.ts';
import { InputError } from '../../errors.ts';
import { errorCode } from '../../storage/local-path.ts';
import { parseJson } from '../../values/json.ts';
import { EXIT, type Exit } from '../exit.ts';
import { answersText } from '../output/answers-text.ts';
import { diffText, explanationText } from '../output/explanation-text.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { planOf } from '../planning.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

interface Options {
  readonly mermaid?: boolean;
  readonly columns?: boolean;
  readonly html?: boolean;
  readonly why?: string;
  readonly against?: string;
  readonly probe?: boolean;
}

/** `lethe plan`: what an erasure of one kind of person does, table by table (rule L9). */
export const addPlan: AddCommand = (program, act) => {
  program
    .command('plan')
    .description('plan the erasure of one kind of person from lineage; reads no row and names nobody')
    .argument('<subject>', 'the kind of person, as the governance files name it')
    .option('--mermaid', 'draw it for a pull request; with --against, what changed as a comment')
    .option('--columns', 'with --mermaid: draw keys and cleared columns, too')
    .addOption(
      new Option('--html', 'draw it as one page that needs nothing else').conflicts([
        'mermaid',
        'columns',
        'why',
        'against',
        'probe',
      ]),
    )
    .addOption(
      new Option(
        '--why <table>',
        'print each path that leads to a table, with the runs that recorded it',
      ).conflicts(['mermaid', 'against', 'probe']),
    )
    .addOption(
      new Option('--against <file>', 'compare with an older plan, as --json printed it').conflicts(['probe']),
    )
    .addOption(
      new Option(
        '--probe',
        'ask the tables what the reviews want to know; counts only, nothing is changed',
      ).conflicts(['mermaid']),
    )
    .addHelpText(
      'after',
      example(
        'lethe plan learner',
        'lethe plan learner --probe',
        'lethe plan learner --html > plan.html',
        'lethe plan learner --against old.json --mermaid > comment.md',
      ),
    )
    .action((subject: string, options: Options) => act((session) => plan(session, subject, options)));
};

async function plan(session: Session, subject: string, options: Options): Promise<Outcome> {
  const planned = await planOf(session, subject);
  const exit = exitOf(planned);
  const lineage = await session.lineage();
  if (options.why !== undefined) {
    const explanation = explain(planned, lineage, options.why);
    if (explanation === null) throw notInPlan(options.why, planned);
    return {
      exit,
      document: { schemaVersion: SCHEMA_VERSION, ...explanation },
      text: explanationText(explanation),
    };
  }
  if (options.against !== undefined) {
    const diff = planDiff(await readPlan(resolve(session.io.cwd, options.against)), planned);
    const text = options.mermaid ? planDiffMarkdown(diff, planned, lineage) : diffText(diff);
    return { exit, document: { schemaVersion: SCHEMA_VERSION, ...diff }, text };
  }
  if (options.probe) {
    const answers = await runProbes(planned, await session.warehouse());
    return { exit, document: { ...planned, answers }, text: planText(planned) + answersText(answers) };
  }
  const { html, mermaid, columns = false } = options;
  const text = html
    ? planHtml(planned, lineage)
    : mermaid
      ? planMermaid(planned, lineage, { columns })
      : planText(planned);
  return { exit, document: { ...planned }, text };
}

/** 1 while something stands that the job would refuse. */
function exitOf(plan: Plan): Exit {
  return openQuestions(plan).length > 0 ? EXIT.finding : EXIT.done;
}

function notInPlan(table: string, { subject, steps }: Plan): InputError {
  return new InputError('cli/not-in-plan', `${table} is not in the plan for a ${subject}`, {
    remedy: `Name one of ${steps.map((step) => step.table).join(', ')}`,
    data: { table },
  });
}

/** What a document must have to be compared; the rest of it is taken as it is. */
const COMPARABLE = z.looseObject({
  schemaVersion: z.literal(1),
  steps: z.array(
    z.looseObject({
      table: z.string(),
      action: z.string(),
      match: z.array(z.unknown()),
      causes: z.array(z.looseObject({ code: z.string() })),
    }),
  ),
  unmapped: z.array(z.looseObject({ namespace: z.string(), name: z.string() })),
  unaccounted: z.array(z.looseObject({ name: z.string() })),
});

async function readPlan(file: string): Promise<Plan> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw noPlan(
      errorCode(cause) === 'ENOENT' ? `There is no file ${file}` : `${file} cannot be read`,
      cause,
    );
  });
  try {
    return COMPARABLE.parse(parseJson(text)) as unknown as Plan;
  } catch (cause) {
    throw noPlan(`${file} is no plan`, cause);
  }
}

function noPlan(message: string, cause: unknown): InputError {
  return new InputError('cli/no-plan', message, {
    remedy: 'Name a file that `lethe plan SUBJECT --json` printed',
    cause,
  });
}
