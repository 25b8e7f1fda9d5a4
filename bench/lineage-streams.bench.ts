// One event of 50 MB, and a folder of 100,000 files: what reading them takes, beside JSON.parse alone over the same files. Each
// runs in a process of its own.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, type Figure, figure } from './bench.ts';
import { bundled } from './bundled.ts';
import { writeFiles, writeLargeEvent } from './lineage/generate-streams.ts';

/** MB at most, whatever is read: what lineage in all may take. */
const LIMIT = 400;

interface Taken {
  /** Seconds, user and system. */
  readonly cpu: number;
  /** MB. */
  readonly peak: number;
  readonly events: number;
}

export const bench: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lethe-bench-'));
  try {
    const program = await bundled('lineage/streams');
    const [large, few, many] = ['large', 'few', 'many'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeLargeEvent(large, 50e6);
    await writeFiles(few, 10_000);
    await writeFiles(many, 100_000);
    const run = (who: string, from: string): Taken =>
      JSON.parse(execFileSync(process.execPath, [program, who, from], { encoding: 'utf8' })) as Taken;
    const both = (what: string, from: string): readonly Figure[] =>
      figures(what, run('lethe', from), run('parse', from));
    return [
      ...both('an event of 50 MB', large),
      ...both('10,000 files', few),
      ...both('100,000 files', many),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
};

function figures(what: string, lethe: Taken, parse: Taken): readonly Figure[] {
  if (lethe.events !== parse.events)
    throw new Error(`${what}: ${lethe.events} events were read of ${parse.events}`);
  const beside = { lethe: lethe.peak, unit: 'MB', what };
  return [
    figure({
      what,
      unit: 'CPU s',
      lethe: lethe.cpu,
      peer: parse.cpu,
      peerName: 'JSON.parse',
      bound: null,
    }),
    figure({ ...beside, peer: parse.peak, peerName: 'JSON.parse', bound: null }),
    figure({ ...beside, peer: LIMIT, peerName: 'the limit', bound: 1 }),
  ];
}
