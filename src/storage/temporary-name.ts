import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pid } from 'node:process';
import { threadId } from 'node:worker_threads';
import { isAlive } from './processes.ts';

/** As much of this machine's name as a file name can hold, so that nobody takes the files of another machine for left behind. */
const HOST = hostname()
  .replace(/[^A-Za-z0-9]/g, '')
  .slice(0, 40);

/** Names, without their folders, that this thread writes to now. */
const inUse = new Set<string>();

let names = 0;

/** A name beside `path` that no other process or thread uses. Whoever asked for it says when it is gone: {@link ended}. */
export function temporaryBeside(path: string): string {
  names += 1;
  const name = `.${basename(path).slice(0, 150)}.${HOST}-${pid}-${threadId}-${names}.tmp`;
  inUse.add(name);
  return join(dirname(path), name);
}

/** Says that a name of {@link temporaryBeside} is not written to any more. */
export function ended(temporary: string): void {
  inUse.delete(basename(temporary));
}

/** Whether a file is a temporary one of a process of this machine that was killed before it could put it in its place. */
export function isLeftBehind(location: string): boolean {
  const [name, host, process, thread] = /[^/]*\.([A-Za-z0-9]*)-(\d+)-(\d+)-\d+\.tmp$/.exec(location) ?? [];
  if (name === undefined || !name.startsWith('.') || host !== HOST) return false;
  // A restarted container often has its predecessor's number: then it is this thread's own that it does not know.
  const here = Number(process) === pid && Number(thread) === threadId;
  return here ? !inUse.has(name) : !isAlive(Number(process));
}
