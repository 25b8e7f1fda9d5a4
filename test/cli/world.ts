import type { Io } from '../../src/cli/io.ts';

/** A world for one run of the command, and what was printed into it. */
export interface World {
  readonly io: Io;
  out(): string;
  err(): string;
}

export interface WorldOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  readonly terminal?: boolean;
}

export function world({ cwd = '/', env = {}, stdin, terminal = false }: WorldOptions = {}): World {
  const printed = { out: '', err: '' };
  return {
    io: {
      cwd,
      env,
      stdin: stdin === undefined ? null : pieces(stdin),
      out: (text) => {
        printed.out += text;
      },
      err: (text) => {
        printed.err += text;
      },
      terminal,
      signal: new AbortController().signal,
    },
    out: () => printed.out,
    err: () => printed.err,
  };
}

/** Text in small pieces, some of which end in the middle of a character. */
async function* pieces(text: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
}
