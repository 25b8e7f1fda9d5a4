import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { stringifyJson } from '../values/json.ts';
import { COMMANDS } from './commands/all.ts';
import type { Act } from './commands/command.ts';
import { EXIT, type Exit } from './exit.ts';
import type { Io } from './io.ts';
import { SCHEMA_VERSION } from './output/outcome.ts';
import { Progress } from './output/progress.ts';
import { showError } from './report-error.ts';
import { openSession } from './session.ts';

interface GlobalOptions {
  readonly config?: string;
  readonly json?: boolean;
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

const EXITS = `
Exit codes:
  0  done, or clean
  1  a finding: a person found, an erased row back, a failed case, something to review
  2  wrong usage, or governance files with faults
  3  refused: nothing was changed
  4  failed part-way: run the same command again to go on
`;

/**
 * Runs the command line once and gives its exit code. Prints the outcome on standard output, everything else on standard error.
 */
export async function run(args: readonly string[], io: Io): Promise<Exit> {
  let exit: Exit = EXIT.done;
  const program = new Command('lethe')
    .description('Retention, consent and erasure for a lakehouse, with proof.')
    .version(version)
    .option('--config <file>', 'the configuration file (default: lethe.toml, from here upwards)')
    .option('--json', 'print one JSON document on standard output, and nothing else there')
    .addHelpText('after', EXITS)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) });

  const act: Act = async (work) => {
    const options = program.opts<GlobalOptions>();
    const progress = new Progress(io);
    try {
      const session = openSession({ io, progress, config: options.config });
      const outcome = await work(session).finally(() => session.close());
      progress.end();
      io.out(options.json ? `${stringifyJson(outcome.document, 2)}\n` : outcome.text);
      exit = outcome.exit;
    } catch (error) {
      progress.end();
      const shown = showError(error);
      if (options.json) io.out(`${stringifyJson(shown.document, 2)}\n`);
      io.err(shown.text);
      exit = shown.exit;
    }
  };

  for (const add of COMMANDS) add(program, act);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    if (program.opts<GlobalOptions>().json) io.out(`${stringifyJson(usageDocument(error), 2)}\n`);
    return EXIT.usage;
  }
  return exit;
}

const usageDocument = (error: CommanderError): object => ({
  schemaVersion: SCHEMA_VERSION,
  error: { code: 'cli/usage', message: usageMessage(error), remedy: 'See --help' },
});

const usageMessage = ({ code, message }: CommanderError): string =>
  code === 'commander.help' ? 'a command is missing' : message.replace(/^error: /, '');
