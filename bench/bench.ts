import { arch, cpus, platform } from 'node:os';

/** One measurement beside its peer's, both from the same run. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly lethe: number;
  readonly peer: number;
  /** The library or program that did the same work. */
  readonly peerName: string;
  /** `lethe` by `peer`. */
  readonly ratio: number;
  /** The ratio that was asked for at most; null where none was. */
  readonly bound: number | null;
}

/** The document of a bench. */
export interface Report {
  readonly name: string;
  readonly machine: string;
  readonly figures: readonly Figure[];
}

/** What a file `bench/NAME.bench.ts` exports as `bench`. */
export type Bench = () => Promise<readonly Figure[]>;

/** CPU milliseconds of this process, user and system, that some work takes: the least of `runs`. */
export async function cpuOf(work: () => unknown, runs = 5): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    taken.push((user + system) / 1000);
  }
  return Math.min(...taken);
}

/** A figure from two measurements. */
export function figure(measured: Omit<Figure, 'ratio'>): Figure {
  return { ...measured, ratio: Math.round((measured.lethe / measured.peer) * 100) / 100 };
}

/** The machine, as a report names it. */
export function machineName(): string {
  return `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${platform()} ${arch()}, Node ${process.version}`;
}
