import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Whether a process of that number runs on this machine, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
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
