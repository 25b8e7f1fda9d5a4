import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server to start. */
export interface ServerProcess {
  /** How it is called in messages, and its log file. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Where `NAME.log` is written. */
  readonly logs: string;
  /** Whether it answers; a throw means not yet. */
  readonly ready: () => Promise<boolean>;
  /** How long to wait for the first answer, in milliseconds. */
  readonly startMs?: number;
}

export interface RunningProcess {
  /** Ends this process and no other: asks it to, and after ten seconds kills it. */
  readonly stop: () => Promise<void>;
  /** The last lines of what it printed. */
  readonly log: () => string;
}

// The server stands in a process group of its own, under a shell that holds one end of a pipe. When this process is gone, however
// it went, the pipe ends and the shell ends the server: an interrupted or killed run leaves nothing behind.
const GUARD = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
end() { kill -TERM $server 2>/dev/null; for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 $server 2>/dev/null || return; sleep 1; done; kill -KILL $server; }
(cat <&3 >/dev/null; end) &
guard=$!
exec 3<&-
wait $server
code=$?
kill $guard 2>/dev/null
exit $code
`;

/**
 * Starts a server and waits until it answers.
 *
 * @throws Error with the end of its log where it ends or does not answer in time
 */
export async function startProcess(server: ServerProcess): Promise<RunningProcess> {
  const { name, command, args, env, cwd, logs, ready, startMs = 120_000 } = server;
  const file = join(logs, `${name}.log`);
  const out = openSync(file, 'a');
  const child = spawn('/bin/sh', ['-c', GUARD, name, command, ...args], {
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    detached: true,
    stdio: ['pipe', out, out],
  });
  closeSync(out);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const running = { log: () => lastLines(file), stop: () => stop(child, ended) };
  const late = Date.now() + startMs;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${name} ended before it answered. The end of its log:\n${running.log()}`);
    if (await ready().catch(() => false)) return running;
    if (Date.now() > late) {
      await running.stop();
      throw new Error(`${name} did not answer in ${startMs / 1000} s. The end of its log:\n${running.log()}`);
    }
    await sleep(100);
  }
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.stdin?.end();
  await ended;
}

function lastLines(file: string, count = 20): string {
  return readFileSync(file, 'utf8').split('\n').slice(-count).join('\n');
}

/** A port of 127.0.0.1 that nobody listens on now. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Whether an address answers a GET with a good status. */
export async function answers(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
}
