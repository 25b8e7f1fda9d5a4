import { readFileSync } from 'node:fs';

/** MB that this program took at most: by the kernel's own count of it, which a fork of a bigger one does not raise. */
export function peak(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
