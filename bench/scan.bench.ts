// A scan of every file beside what a Python engineer would use on the same files: Polars' search for many texts at once, and DuckDB
// decoding the same columns and no more. Each runs in a process of its own with two threads; CPU seconds are user and system of the
// whole process, the least of RUNS runs (3 if not set). ROWS is the size of the events table (5 million if not set).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, type Figure, figure } from './bench.ts';
import { benchCache, pythonWith } from './python.ts';
import { bundledContestant } from './scan/bundled.ts';
import type { Sought } from './scan/sought.ts';

const RUNS = Number(process.env.RUNS ?? 3);
const ROWS = Number(process.env.ROWS ?? 5_000_000);
const WIDE_ROWS = 400_000;

type Contestant = 'lethe' | 'polars' | 'characters' | 'bytes';

interface Taken {
  /** Seconds, user and system. */
  readonly cpu: number;
  /** MB. */
  readonly peak: number;
  /** Files that hold what was sought; null where the contestant only decodes. */
  readonly holding: readonly string[] | null;
}

interface Case {
  readonly what: string;
  readonly folder: string;
  readonly sought: Sought;
  readonly bounds: Readonly<Partial<Record<Contestant, number | null>>>;
}

const EVENTS = {
  textColumns: ['email', 'full_name', 'ip_address', 'user_agent', 'event_type', 'page', 'note'],
  idColumns: ['event_id', 'learner_id'],
};
const WIDE = { textColumns: ['title', 'body'], idColumns: ['id'] };

export const bench: Bench = async () => {
  const python = pythonWith('scan', new URL('scan/requirements.txt', import.meta.url));
  const work = mkdtempSync(join(tmpdir(), 'lethe-bench-'));
  try {
    const run = runner({ python, program: await bundledContestant(), work });
    const events = generated({ python, kind: 'events', rows: ROWS });
    const tenth = generated({ python, kind: 'events', rows: ROWS / 10 });
    const wide = generated({ python, kind: 'wide', rows: WIDE_ROWS });
    checkFinds(run, { ...EVENTS, folder: tenth, texts: present(ROWS / 10), ids: [1 + ROWS / 20] });
    const rows = `${(ROWS / 1e6).toLocaleString('en')} million events`;
    const few = measure(run, {
      what: `10 texts in ${rows}`,
      folder: events,
      sought: { ...EVENTS, texts: absent(10), ids: [] },
      bounds: { polars: 0.7, characters: 1, bytes: null },
    });
    const many = measure(run, {
      what: `1,000 texts and 1,000 ids in ${rows}`,
      folder: events,
      sought: { ...EVENTS, texts: absent(1000), ids: absentIds(1000) },
      bounds: { polars: 0.6 },
    });
    const long = measure(run, {
      what: '10 texts in 400,000 texts of 200 and of 2,000 characters',
      folder: wide,
      sought: { ...WIDE, texts: absent(10), ids: [] },
      bounds: { polars: 1.8 },
    });
    const longMany = measure(run, {
      what: '1,000 texts and 1,000 ids in the long texts',
      folder: wide,
      sought: { ...WIDE, texts: absent(1000), ids: absentIds(1000) },
      bounds: { polars: 1.8 },
    });
    const small = best(run, 'lethe', { folder: tenth, sought: { ...EVENTS, texts: absent(10), ids: [] } });
    const growth = [
      { what: 'ten times the events: 10 is linear', unit: 'CPU s', lethe: few.taken.cpu, peer: small.cpu },
      { what: 'ten times the events, memory', unit: 'MB', lethe: few.taken.peak, peer: small.peak },
    ].map((each) => figure({ ...each, peerName: 'a tenth of them', bound: null }));
    return [...few.figures, ...many.figures, ...long.figures, ...longMany.figures, ...growth];
  } finally {
    rmSync(work, { recursive: true });
  }
};

type Run = (who: Contestant, folder: string, sought: Sought) => Taken;

function runner(at: { readonly python: string; readonly program: string; readonly work: string }): Run {
  const peer = fileURLToPath(new URL('scan/peer.py', import.meta.url));
  const file = join(at.work, 'sought.json');
  return (who, folder, sought) => {
    writeFileSync(file, JSON.stringify(sought));
    const [program, args] = who === 'lethe' ? [process.execPath, [at.program]] : [at.python, [peer, who]];
    return JSON.parse(execFileSync(program, [...args, folder, file], { encoding: 'utf8' })) as Taken;
  };
}

/** In turns, so that a busy machine is busy for all. */
function measure(run: Run, { what, folder, sought, bounds }: Case): { figures: Figure[]; taken: Taken } {
  const contestants = ['lethe', ...Object.keys(bounds)] as Contestant[];
  const taken = new Map<Contestant, Taken>();
  for (let round = 0; round < RUNS; round += 1) {
    for (const who of contestants) {
      const now = run(who, folder, sought);
      if (now.holding !== null && now.holding.length > 0) throw new Error(`${who} found what nobody has`);
      if (now.cpu < (taken.get(who)?.cpu ?? Number.POSITIVE_INFINITY)) taken.set(who, now);
    }
    process.stderr.write(`${what}, round ${round + 1} of ${RUNS}, load ${loadavg()[0]!.toFixed(1)}\n`);
  }
  const lethe = taken.get('lethe')!;
  const figures = Object.entries(bounds).flatMap(([who, bound]) => {
    const peer = taken.get(who as Contestant)!;
    const both = { peerName: PEERS[who as Contestant], what };
    return [
      figure({ ...both, unit: 'CPU s', lethe: lethe.cpu, peer: peer.cpu, bound }),
      figure({ ...both, unit: 'MB', lethe: lethe.peak, peer: peer.peak, bound: null }),
    ];
  });
  return { figures, taken: lethe };
}

const PEERS = {
  lethe: 'Lethe',
  polars: 'Polars contains_any',
  characters: 'DuckDB decoding the columns and counting characters',
  bytes: 'DuckDB decoding the columns and no more',
};

function best(run: Run, who: Contestant, { folder, sought }: Pick<Case, 'folder' | 'sought'>): Taken {
  const all = Array.from({ length: RUNS }, () => run(who, folder, sought));
  return all.reduce((least, each) => (each.cpu < least.cpu ? each : least));
}

/** What is there is found by both, in the same files, before anything is measured. */
function checkFinds(run: Run, { folder, ...sought }: Sought & { readonly folder: string }): void {
  for (const part of [
    { ...sought, ids: [] },
    { ...sought, texts: ['nobody has this'] },
  ]) {
    const [own, peer] = [run('lethe', folder, part).holding, run('polars', folder, part).holding];
    if (own === null || own.length === 0 || JSON.stringify(own) !== JSON.stringify(peer)) {
      throw new Error(`They find other files: ${JSON.stringify(own)} and ${JSON.stringify(peer)}`);
    }
  }
}

/** The files of a table, made once in the cache, named by what makes them. */
function generated(options: {
  readonly python: string;
  readonly kind: string;
  readonly rows: number;
}): string {
  const { python, kind, rows } = options;
  const generator = fileURLToPath(new URL('scan/generate.py', import.meta.url));
  const digest = createHash('sha256').update(readFileSync(generator)).digest('hex').slice(0, 12);
  const folder = join(benchCache(), `scan-files-${digest}`, `${kind}-${rows}`);
  if (existsSync(`${folder}.complete`)) return folder;
  rmSync(folder, { recursive: true, force: true });
  execFileSync(python, [generator, kind, folder, String(rows)]);
  writeFileSync(`${folder}.complete`, '');
  return folder;
}

/** The first 15 characters of emails and names that nobody in the table has: its numbers end below nine million. */
function absent(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? `${9_000_001 + at * 7}.hugo.li` : `hugo ${9_000_001 + at * 7} li`,
  );
}

function absentIds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => 900_000_001 + at * 7919);
}

/** Beginnings of emails that some of the people in a table of so many events have. */
function present(rows: number): readonly string[] {
  const people = rows / 20;
  return [1, 2, 3].map((at) => `${String(Math.floor((people * at) / 4)).padStart(7, '0')}.`);
}
