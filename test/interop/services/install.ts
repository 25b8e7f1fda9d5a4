import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where installed things are kept between runs: `$LETHE_CACHE`, else `~/.cache/lethe`. */
export function cacheFolder(): string {
  return process.env.LETHE_CACHE ?? join(homedir(), '.cache', 'lethe');
}

/** Something to install once. */
export interface Installation {
  readonly name: string;
  /** Everything that decides what is installed; another text is another folder. */
  readonly recipe: string;
  /** Fills the empty folder. */
  readonly install: (folder: string) => Promise<void>;
}

/**
 * The folder of an installation, made now unless an earlier run made it. A folder counts only with its `complete` mark, so one
 * that was interrupted is made again; of two runs that start at once one installs and the other waits.
 *
 * @throws Error where it cannot be installed: a test that does not run is no test
 */
export async function installed({ name, recipe, install }: Installation): Promise<string> {
  const digest = createHash('sha256').update(recipe).digest('hex').slice(0, 12);
  const folder = join(cacheFolder(), `${name}-${digest}`);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  const unlock = await lock(folder);
  try {
    if (existsSync(complete)) return folder;
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    process.stderr.write(`Installing ${name} into ${folder} (once) …\n`);
    await install(folder);
    await writeFile(complete, recipe);
    return folder;
  } finally {
    await unlock();
  }
}

/** Waits for the only lock of a name on this machine. The kernel lets go of it when its holder is gone, so none is ever stale. */
async function lock(name: string): Promise<() => Promise<void>> {
  const address = `\0lethe-${createHash('sha256').update(name).digest('hex')}`;
  for (;;) {
    const server = await listen(address);
    if (server !== null) return () => new Promise((resolve) => server.close(() => resolve()));
    await sleep(500);
  }
}

async function listen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}

/**
 * Runs a program to its end and gives what it printed.
 *
 * @throws Error with all it printed where it fails, and how to get it where it is not there
 */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env, remedy = '' }: { cwd?: string; env?: Readonly<Record<string, string>>; remedy?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    child.once('error', (error) =>
      reject(new Error(`${program} cannot be run: ${error.message}. ${remedy}`)),
    );
    child.once('close', (status) =>
      status === 0
        ? resolve(printed)
        : reject(new Error(`${program} ${args.join(' ')} failed (${status}). ${remedy}\n${printed}`)),
    );
  });
}
