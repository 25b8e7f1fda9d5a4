// Reading, building and planning over column lineage, beside JSON.parse alone over the same file and what a Python engineer would
// use. Each runs in a process of its own; of RUNS runs (3 if not set) the one with the least CPU counts.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, type Figure, figure } from './bench.ts';
import { bundled } from './bundled.ts';
import { seedsOf, writeEvents } from './lineage/generate.ts';
import { pythonWith } from './python.ts';

const RUNS = Number(process.env.RUNS ?? 3);
const SIZES = [1000, 10_000];
/** CPU seconds of networkx by those of rustworkx, as first measured, at the larger size. */
const RECORDED = 12.1 / 5.7;

interface Taken {
  /** Seconds, user and system. */
  readonly cpu: number;
  /** MB. */
  readonly peak: number;
  /** Columns downstream of the person's. */
  readonly reached: number;
}

type Contestant = 'lethe' | 'parse' | 'parse-bytes' | 'rustworkx' | 'networkx';

export const bench: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lethe-bench-'));
  try {
    const program = await bundled('lineage/contestant');
    const figures: Figure[] = [];
    const cpu: number[] = [];
    for (const jobs of SIZES) {
      const file = join(folder, `${jobs}.ndjson`);
      await writeEvents(file, jobs);
      const taken = measure({ program, file, jobs });
      cpu.push(taken.lethe.cpu);
      figures.push(...figuresOf(jobs, taken));
      if (jobs === SIZES.at(-1)) checkPeers(taken);
    }
    figures.push(
      figure({
        what: `plan from ${edges(SIZES[1]!)} beside ${edges(SIZES[0]!)}: 10 is linear`,
        unit: 'CPU s',
        lethe: cpu[1]!,
        peer: cpu[0]!,
        peerName: 'a tenth of it',
        bound: null,
      }),
    );
    return figures;
  } finally {
    await rm(folder, { recursive: true });
  }
};

interface Measure {
  readonly program: string;
  readonly file: string;
  readonly jobs: number;
}

function measure({ program, file, jobs }: Measure): Readonly<Record<Contestant, Taken>> {
  const seeds = JSON.stringify(seedsOf(jobs));
  const python = pythonWith('graphs', new URL('lineage/requirements.txt', import.meta.url));
  const peer = fileURLToPath(new URL('lineage/peer.py', import.meta.url));
  const node = (who: string): Taken => run(process.execPath, [program, who, file, seeds]);
  const others = (library: string): Taken => run(python, [peer, library, file, seeds]);
  const taken: Record<Contestant, Taken[]> = {
    lethe: [],
    parse: [],
    'parse-bytes': [],
    rustworkx: [],
    networkx: [],
  };
  // In turns, so that a busy machine is busy for all.
  for (let round = 0; round < RUNS; round += 1) {
    taken.lethe.push(node('lethe'));
    taken.parse.push(node('parse'));
    taken['parse-bytes'].push(node('parse-bytes'));
    taken.rustworkx.push(others('rustworkx'));
    taken.networkx.push(others('networkx'));
    process.stderr.write(`${jobs} jobs, round ${round + 1} of ${RUNS}, load ${loadavg()[0]!.toFixed(1)}\n`);
  }
  const best = (who: Contestant): Taken => taken[who].reduce((a, b) => (b.cpu < a.cpu ? b : a));
  const found = {
    lethe: best('lethe'),
    parse: best('parse'),
    'parse-bytes': best('parse-bytes'),
    rustworkx: best('rustworkx'),
    networkx: best('networkx'),
  };
  const reached = new Set([found.lethe.reached, found.rustworkx.reached, found.networkx.reached]);
  if (reached.size > 1) throw new Error(`They reach different columns: ${[...reached].join(', ')}`);
  return found;
}

function figuresOf(jobs: number, taken: Record<Contestant, Taken>): Figure[] {
  const { lethe, parse, rustworkx, networkx } = taken;
  const what = `read, build and plan ${edges(jobs)}`;
  const time = (peer: Taken, peerName: string, bound: number | null): Figure =>
    figure({ what, unit: 'CPU s', lethe: lethe.cpu, peer: peer.cpu, peerName, bound });
  const large = jobs === SIZES.at(-1);
  return [
    time(rustworkx, 'rustworkx', large ? 0.7 : null),
    time(networkx, 'networkx', null),
    time(parse, 'JSON.parse', large ? 2 : null),
    time(taken['parse-bytes'], 'JSON.parse of lines found in the bytes', null),
    figure({ what, unit: 'MB', lethe: lethe.peak, peer: rustworkx.peak, peerName: 'rustworkx', bound: null }),
    // Not a peer but the memory that was asked for.
    figure({
      what,
      unit: 'MB',
      lethe: lethe.peak,
      peer: 400,
      peerName: 'the limit',
      bound: large ? 1 : null,
    }),
  ];
}

/** A run in which the peers are far from what they were to each other says nothing. */
function checkPeers({ rustworkx, networkx }: Record<Contestant, Taken>): void {
  const ratio = networkx.cpu / rustworkx.cpu;
  if (Math.abs(ratio / RECORDED - 1) > 0.3)
    throw new Error(
      `networkx took ${ratio.toFixed(2)} of rustworkx, not ${RECORDED.toFixed(2)}: run it again`,
    );
}

function edges(jobs: number): string {
  return `${(jobs * 100).toLocaleString('en')} edges`;
}

function run(program: string, args: readonly string[]): Taken {
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8' })) as Taken;
}
