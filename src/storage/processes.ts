import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Whether a process of that number runs on this machine, whoever it belongs to; with `started`, by {@link startOf}, that very one, as
 * far as the system tells: a restarted container often gives its predecessor's number to another process.
 */
export function isAlive(pid: number, started: string | null = null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = started === null ? null : startOf(pid);
  return now === null || now === started;
}

/**
 * When a process started, as Linux counts: tells it from a later one with the same number. Field 22 of `/proc/PID/stat` (proc(5));
 * null where there is no such process, and on systems without that file.
 */
export function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

let own: string | null | undefined;

/** The same of this process, which is asked for once. */
export function ownStart(): string | null {
  own ??= startOf(process.pid);
  return own;
}
