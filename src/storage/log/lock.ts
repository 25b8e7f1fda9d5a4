import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { RefusedError } from '../../errors.ts';
import { parseJson } from '../../values/json.ts';
import { isAlive, startOf } from '../processes.ts';
import { onDisk } from './on-disk.ts';

/** How often a held lock is tried again, and how long is waited in between, in milliseconds. */
const TRIES = 200;
const PAUSE = 50;

/** Who holds a lock: enough to know, on the same machine, that they are gone. */
const holder = z.object({
  host: z.string(),
  pid: z.number(),
  /** When the process started, as Linux counts: tells it from a later one with the same number. */
  started: z.string().nullable(),
});
type Holder = z.infer<typeof holder>;

export interface Lock {
  readonly path: string;
  /** The code of the error where another process holds it. */
  readonly code: string;
  /** Whether to wait ten seconds for another process, or not at all. */
  readonly patient: boolean;
}

let made = 0;

/**
 * Runs `use` while a lock file is held, made exclusively and removed afterwards. A lock whose process is gone is taken
 * over: the same machine, and no process of that number that started then. Throws a {@link RefusedError} of the given code
 * where another holds it.
 */
export async function withLock<T>(lock: Lock, use: () => Promise<T>): Promise<T> {
  await take(lock);
  try {
    return await use();
  } finally {
    await rm(lock.path, { force: true });
  }
}

async function take(lock: Lock): Promise<void> {
  for (let left = lock.patient ? TRIES : 1; ; left -= 1) {
    if (await onDisk(lock.path, () => create(lock.path))) return;
    if (await removeStale(lock.path)) continue;
    if (left <= 1) throw held(lock);
    await wait(PAUSE);
  }
}

/** Written beside and linked into place, so that no lock is ever seen half written. */
async function create(path: string): Promise<boolean> {
  const self: Holder = { host: hostname(), pid: process.pid, started: startOf(process.pid) };
  made += 1;
  const draft = `${path}.${process.pid}-${made}`;
  try {
    await writeFile(draft, JSON.stringify(self), { mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Takes away a lock that nobody holds. Two processes that see it must not remove each other's new one, so it is looked at
 * again under a second lock, which lives for one removal and, left by a process that was killed exactly there, is taken away alike.
 */
async function removeStale(path: string): Promise<boolean> {
  if (!(await isStale(path))) return false;
  const guard = `${path}.removing`;
  if (!(await create(guard))) return removeStale(guard);
  try {
    if (await isStale(path)) await rm(path, { force: true });
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await holderOf(path);
  if (found === null || found.host !== hostname()) return false;
  return !isAlive(found.pid, found.started);
}

/** Null where the lock is gone, or is no lock of ours. */
async function holderOf(path: string): Promise<Holder | null> {
  try {
    return holder.parse(parseJson(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function held({ path, code }: Lock): RefusedError {
  return new RefusedError(code, `Another process holds ${path}`, {
    remedy: 'Wait until it is done; if none runs any more, on any machine, remove the file',
    data: { path },
  });
}
