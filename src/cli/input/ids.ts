import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Io } from '../io.ts';

/** Where the ids of a command can come from; exactly one is used. */
export interface IdSources {
  readonly args: readonly string[];
  /** The value of `--ids-file`. */
  readonly file: string | undefined;
}

/**
 * The ids of a request exactly as written (rule G1): from the arguments, from `--ids-file`, or one per line from standard input. Blanks
 * around one stay, since `a ` is another person's than `a` where ids are text, and change nothing where they are numbers. The parts
 * of a composite id are parted by tabs. Blank lines are left out, an id named twice is one.
 *
 * @throws InputError `cli/no-ids`, `cli/ids-twice`, `cli/unreadable-file`
 */
export async function readIds(io: Io, { args, file }: IdSources): Promise<readonly (readonly string[])[]> {
  if (args.length > 0 && file !== undefined) {
    throw new InputError('cli/ids-twice', 'Ids are given as arguments and in a file', {
      remedy: 'Give them one way only',
    });
  }
  const lines = args.length > 0 ? args : await readLines(io, file);
  const ids = [...new Set(lines)];
  if (ids.length === 0) {
    throw new InputError('cli/no-ids', 'No id was given', {
      remedy: 'Name the ids as arguments, in --ids-file FILE, or one per line on standard input',
    });
  }
  return ids.map((id) => id.split('\t'));
}

/**
 * The lines of a file, or of standard input for `-` or no file; blank ones and a byte-order mark left out.
 *
 * @throws InputError `cli/unreadable-file`
 */
export async function readLines(io: Io, file: string | undefined): Promise<readonly string[]> {
  const text =
    file === undefined || file === '-' ? await standardInput(io) : await fileText(resolve(io.cwd, file));
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new InputError('cli/unreadable-file', `${path} cannot be read`, {
      remedy: 'Name a readable text file with one value per line',
      cause,
    });
  }
}

/** All of standard input as UTF-8 text; nothing where it is a terminal. */
async function standardInput({ stdin }: Io): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stdin ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
