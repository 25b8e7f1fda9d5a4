import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError } from '../errors.ts';
import type { Io } from './io.ts';

/** Where the ids of a command can come from; exactly one is used. */
export interface IdSources {
  readonly args: readonly string[];
  /** The value of `--ids-file`. */
  readonly file: string | undefined;
}

/**
 * The ids of a request as written: from the arguments, from `--ids-file`, or one per line from standard input. The parts of
 * a composite id are parted by tabs. Blank lines are left out, an id named twice is one.
 *
 * @throws InputError `cli/no-ids`, `cli/ids-twice`, `cli/ids-file`
 */
export async function readIds(io: Io, { args, file }: IdSources): Promise<readonly (readonly string[])[]> {
  if (args.length > 0 && file !== undefined) {
    throw new InputError('cli/ids-twice', 'Ids are given as arguments and in a file', {
      remedy: 'Give them one way only',
    });
  }
  const lines = args.length > 0 ? args : (await written(io, file)).split(/\r?\n/);
  const ids = [
    ...new Set(lines.map((line) => line.replace(/^\ufeff/, '').trim()).filter((line) => line !== '')),
  ];
  if (ids.length === 0) {
    throw new InputError('cli/no-ids', 'No id was given', {
      remedy: 'Name the ids as arguments, in --ids-file FILE, or one per line on standard input',
    });
  }
  return ids.map((id) => id.split('\t'));
}

async function written(io: Io, file: string | undefined): Promise<string> {
  if (file !== undefined && file !== '-') {
    try {
      return await readFile(resolve(io.cwd, file), 'utf8');
    } catch (cause) {
      throw new InputError('cli/ids-file', 'The file of --ids-file cannot be read', {
        remedy: 'Name a readable text file with one id per line',
        cause,
      });
    }
  }
  return io.stdin === null ? '' : textOf(io.stdin);
}

/** All of a stream as UTF-8 text. */
export async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
