import { LetheError } from '../errors.ts';
import { type Exit, exitOf } from './exit.ts';
import { SCHEMA_VERSION } from './output/outcome.ts';
import { printable } from './output/printable.ts';
import { prose } from './output/prose.ts';

/** An error as the command shows it: the document of `--json`, text for standard error, and the exit code. */
export interface Shown {
  readonly exit: Exit;
  readonly document: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * How an error is shown. Lethe's own errors say what happened and what to do, and hold no value of a person. Of any other
 * only the kind and the places in the code are shown, because its message may quote data (rule E3).
 */
export function showError(error: unknown): Shown {
  if (error instanceof LetheError) {
    const { code, message, remedy, data } = error;
    return {
      exit: exitOf(error),
      document: { schemaVersion: SCHEMA_VERSION, error: { code, message, remedy, data } },
      text: `${message.split('\n').map(lineOf).join('')}(${code})\n`,
    };
  }
  const frames = error instanceof Error ? framesOf(error) : [];
  const kind = error instanceof Error ? error.constructor.name : typeof error;
  const code = 'cli/unexpected';
  const remedy = 'Report it with the places below; its message is not shown because it may quote data';
  return {
    exit: exitOf(error),
    document: {
      schemaVersion: SCHEMA_VERSION,
      error: { code, message: `An unexpected ${kind}`, remedy, at: frames },
    },
    text: `An unexpected ${kind}. ${remedy}\n${frames.map((frame) => `  ${frame}\n`).join('')}(${code})\n`,
  };
}

/** What points at a place of a file stays one line, as editors read it; what is said in words fits the page. */
const lineOf = (line: string): string => (/^\s|:\d+:\d+ /.test(line) ? `${printable(line)}\n` : prose(line));

/** The places of a stack, without the message that stands above them. */
function framesOf(error: Error): readonly string[] {
  const stack = error.stack ?? '';
  const own = stack.startsWith(`${error.name}: ${error.message}`)
    ? stack.slice(error.name.length + 2 + error.message.length)
    : stack;
  return own
    .split('\n')
    .map(
      (line) => /^\s+at (?:(?:async )?[\w.<>$[\] ]+ \()?(?:file:\/\/)?([^()\s]+:\d+:\d+)\)?$/.exec(line)?.[1],
    )
    .filter((place) => place !== undefined);
}
