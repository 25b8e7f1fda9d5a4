import { spawn } from 'node:child_process';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FailedError } from '../errors.ts';

/** A `[jobs.…]` section: a program that builds tables again. */
export interface RebuildJob {
  /** The job's OpenLineage name. */
  readonly name: string;
  /** The program and its arguments; no shell reads them. */
  readonly run: readonly string[];
}

export interface RebuildOptions {
  readonly job: RebuildJob;
  /** The folder of `lethe.toml`, where the program starts. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The private folder of the erasure job. */
  readonly state: string;
  readonly signal?: AbortSignal;
}

/**
 * Runs a rebuild job as a child process and waits for it. What it prints may hold values of people, so it goes to a private
 * file under the state folder and nowhere else: removed when the job succeeds, kept for a look when it fails.
 *
 * @throws FailedError `cli/rebuild-failed`; the erasure's journal stands, so running the command again goes on from there
 */
export async function runRebuild({ job, cwd, env, state, signal }: RebuildOptions): Promise<void> {
  const folder = join(state, 'jobs');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${job.name.replace(/[^\w.-]/g, '_')}.log`);
  await rm(path, { force: true });
  const log = await open(path, 'wx', 0o600);
  await chmod(path, 0o600);
  let ended: string | null;
  try {
    ended = await endOf({ job, cwd, env, signal, output: log.fd });
  } finally {
    await log.close();
  }
  if (ended === null) {
    await rm(path, { force: true });
    return;
  }
  throw new FailedError('cli/rebuild-failed', `The rebuild job ${job.name} ${ended}`, {
    remedy: `Read its output in ${path} (it may hold values of people), mend it, and run the same command again`,
    data: { job: job.name, output: path },
  });
}

interface Run extends Pick<RebuildOptions, 'job' | 'cwd' | 'env'> {
  readonly output: number;
  readonly signal: AbortSignal | undefined;
}

/** How the program ended; null where it did so well. */
function endOf({ job, cwd, env, output, signal }: Run): Promise<string | null> {
  const [program, ...args] = job.run;
  return new Promise((resolve) => {
    const child = spawn(program!, args, {
      cwd,
      env: { ...env },
      shell: false,
      stdio: ['ignore', output, output],
      ...(signal === undefined ? {} : { signal }),
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve(`could not be started (${error.code ?? 'unknown'})`),
    );
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve(null);
      else resolve(killedBy === null ? `ended with exit code ${code}` : `was ended by ${killedBy}`);
    });
  });
}
