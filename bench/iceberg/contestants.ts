import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled, type Packages } from '../bundled.ts';
import { firstMeasured } from './first-measured.ts';
import type { BenchTable } from './tables.ts';

/** What one run took, in a process of its own. */
export interface Taken {
  /** Seconds, user and system. */
  readonly cpu: number;
  /** MB. */
  readonly peak: number;
  readonly result: unknown;
}

/** Someone who does a work on a table that was just put back. */
export type Contestant = () => Taken;

const GOVERNANCE = fileURLToPath(new URL('../../governance', import.meta.url));

const RUNS = Number(process.env.RUNS ?? 3);

/** Runs contestants in turns, so that a busy machine is busy for all, and takes of each the run with the least CPU. */
export function inTurns<T extends string>(
  what: string,
  contestants: Readonly<Record<T, Contestant>>,
  runs: number = RUNS,
): Readonly<Record<T, Taken>> {
  const best: Partial<Record<T, Taken>> = {};
  for (let run = 0; run < runs; run += 1) {
    for (const name of Object.keys(contestants) as T[]) {
      const taken = contestants[name]();
      const before = best[name];
      if (before === undefined || taken.cpu < before.cpu)
        best[name] = { ...taken, peak: Math.min(taken.peak, before?.peak ?? Number.POSITIVE_INFINITY) };
      process.stderr.write(
        `${what}, ${name}, run ${run + 1} of ${runs}: ${taken.cpu.toFixed(2)} s, ${taken.peak.toFixed(0)} MB, load ${loadavg()[0]!.toFixed(1)}\n`,
      );
    }
  }
  return best as Record<T, Taken>;
}

/** The programs of the bench. */
export class Programs {
  readonly #python: string;
  readonly #bundles: ReadonlyMap<string, string>;

  private constructor(python: string, bundles: ReadonlyMap<string, string>) {
    this.#python = python;
    this.#bundles = bundles;
  }

  static async make(python: string): Promise<Programs> {
    const program = async (name: string, packages: Packages): Promise<[string, string]> => [
      name,
      await bundled(`iceberg/${name}`, packages),
    ];
    // The start of the job is measured too, so it is one file with its packages, as a job that starts often is deployed.
    const programs = [program('lethe', 'external'), program('copy', 'external'), program('job', 'bundle')];
    return new Programs(python, new Map(await Promise.all(programs)));
  }

  lethe(work: string, table: BenchTable, ids: readonly number[] = []): Taken {
    table.restore();
    return this.#node('lethe', [work, table.folder, JSON.stringify(ids)]);
  }

  peer(work: string, table: BenchTable, ids?: readonly number[]): Taken {
    table.restore();
    return this.#peer([
      work,
      newestMetadata(table.folder),
      ...(ids === undefined ? [] : [JSON.stringify(ids)]),
    ]);
  }

  /** What is in a table now, as another reader counts it. */
  check(table: BenchTable, ids: readonly number[]): unknown {
    return this.#peer(['check', newestMetadata(table.folder), JSON.stringify(ids)]);
  }

  /** The data files that hold one of the people, as another reader finds them. */
  holding(table: BenchTable, ids: readonly number[]): readonly string[] {
    table.restore();
    return this.#peer(['holding', newestMetadata(table.folder), JSON.stringify(ids)]) as readonly string[];
  }

  copy(files: readonly string[], ids: readonly number[]): Taken {
    const out = join(tmpdir(), `lethe-bench-copy-${process.pid}`);
    try {
      return this.#node('copy', [out, JSON.stringify(ids), ...files]);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  }

  letheJob(platform: BenchTable): Taken {
    platform.restore();
    return this.#node('job', [platform.folder, GOVERNANCE]);
  }

  peerJob(platform: BenchTable): Taken {
    platform.restore();
    const program = fileURLToPath(new URL('job.py', import.meta.url));
    return run(this.#python, [program, platform.folder, GOVERNANCE]) as Taken;
  }

  /** The job by the program that PyIceberg was first measured with, on its own tables of the same size; undefined where it is not there. */
  firstJob(): Contestant | undefined {
    const first = firstMeasured(this.#python);
    return first === undefined ? undefined : () => run(this.#python, first.args, first.env) as Taken;
  }

  #node(name: string, args: readonly string[]): Taken {
    return run(process.execPath, [this.#bundles.get(name)!, ...args]) as Taken;
  }

  #peer<T>(args: readonly string[]): T {
    return run(this.#python, [fileURLToPath(new URL('peer.py', import.meta.url)), ...args]) as T;
  }
}

function run(program: string, args: readonly string[], env = process.env): unknown {
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8', env, maxBuffer: 1 << 26 }));
}

function newestMetadata(folder: string): string {
  const home = join(folder, 'learning', 'events', 'metadata');
  const version = (name: string): number => Number(/^v?(\d+)/.exec(name)![1]);
  const names = readdirSync(home).filter((name) => name.endsWith('.metadata.json'));
  names.sort(
    (a, b) => version(b) - version(a) || statSync(join(home, b)).mtimeMs - statSync(join(home, a)).mtimeMs,
  );
  return join(home, names[0]!);
}
