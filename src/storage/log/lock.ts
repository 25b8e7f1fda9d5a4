import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { RefusedError } from '../../errors.ts';
import { parseJson } from '../../values/json.ts';
import { ifPresent } from '../local-failures.ts';
import { errorCode } from '../local-path.ts';
import { isAlive, ownStart } from '../processes.ts';
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
    remove(lock.path);
  }
}

async function take(lock: Lock): Promise<void> {
  for (let left = lock.patient ? TRIES : 1; ; left -= 1) {
    if (await onDisk(lock.path, async () => create(lock.path))) return;
    if (removeStale(lock.path)) continue;
    if (left <= 1) throw held(lock);
    await wait(PAUSE);
  }
}

/** Written beside and linked into place, so that no lock is ever seen half written. */
function create(path: string): boolean {
  const self: Holder = { host: hostname(), pid: process.pid, started: ownStart() };
  made += 1;
  const draft = `${path}.${process.pid}-${made}`;
  try {
    writeFileSync(draft, JSON.stringify(self), { mode: 0o600 });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    remove(draft);
  }
}

/**
 * Takes away a lock that nobody holds. Two processes that see it must not remove each other's new one, so it is looked at
 * again under a second lock, which lives for one removal and, left by a process that was killed exactly there, is taken away alike.
 */
function removeStale(path: string): boolean {
  if (!isStale(path)) return false;
  const guard = `${path}.removing`;
  if (!create(guard)) return removeStale(guard);
  try {
    if (isStale(path)) remove(path);
    return true;
  } finally {
    remove(guard);
  }
}

function isStale(path: string): boolean {
  const found = holderOf(path);
  if (found === null || found.host !== hostname()) return false;
  return !isAlive(found.pid, found.started);
}

/** Null where the lock is gone, or is no lock of ours. */
function holderOf(path: string): Holder | null {
  try {
    return holder.parse(parseJson(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

function remove(path: string): void {
  ifPresent(() => unlinkSync(path), undefined);
}

function held({ path, code }: Lock): RefusedError {
  return new RefusedError(code, `Another process holds ${path}`, {
    remedy: 'Wait until it is done; if none runs any more, on any machine, remove the file',
    data: { path },
  });
}
