/** What a command sees of the world around it, so that tests can be that world. */
export interface Io {
  /** Where the search for `lethe.toml` begins and relative arguments start. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input in pieces; null where it is a terminal, because nobody types ids into a waiting command. */
  readonly stdin: AsyncIterable<Uint8Array> | null;
  /** Standard output: the result and nothing else. */
  out(text: string): void;
  /** Standard error: progress and messages. */
  err(text: string): void;
  /** Standard error is a terminal, so bars may be drawn. */
  readonly terminal: boolean;
  /** Aborted when the person asks the command to stop; it then ends between two steps. */
  readonly signal: AbortSignal;
}

/** The world of a running process. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  const stop = new AbortController();
  // Once: a second time ends the process at once, which the journal survives.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return {
    cwd: process.cwd(),
    env,
    stdin: stdin.isTTY ? null : stdin,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    terminal: stderr.isTTY === true && env.TERM !== 'dumb' && env.CI === undefined,
    signal: stop.signal,
  };
}
