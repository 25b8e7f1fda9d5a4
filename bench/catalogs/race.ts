import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What two writers came to. */
export interface Raced {
  readonly commitsPerSecond: number;
  /** Tries that lost to the other writer. */
  readonly retries: number;
}

/** Starts two processes, lets both begin at once, and waits for them. `command` makes the arguments of the n-th. */
export async function race(command: (who: string) => readonly string[], commits: number): Promise<Raced> {
  const writers = ['a', 'b'].map((who) => {
    const [program = '', ...args] = command(who);
    const process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: process.stdout! })[Symbol.asyncIterator]();
    return { process, next: async () => (await lines.next()).value as string | undefined };
  });
  for (const { next } of writers) if ((await next()) !== 'ready') throw new Error('a writer did not begin');
  const results = await Promise.all(
    writers.map(async ({ process, next }) => {
      process.stdin!.write('go\n');
      const line = await next();
      await ended(process);
      if (line === undefined) throw new Error('a writer failed');
      return JSON.parse(line) as { ms: number; retries: number };
    }),
  );
  const longest = Math.max(...results.map(({ ms }) => ms));
  return {
    commitsPerSecond: (2 * commits * 1000) / longest,
    retries: results.reduce((sum, { retries }) => sum + retries, 0),
  };
}

function ended(process: ChildProcess): Promise<void> {
  process.stdin?.end();
  if (process.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => process.once('exit', () => resolve()));
}
