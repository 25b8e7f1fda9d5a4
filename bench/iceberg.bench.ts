// What an erasure costs on Iceberg tables, beside PyIceberg and DuckDB on the same tables in the same run, with what came of it
// checked by another reader. Each runs in a process of its own; of RUNS runs (3 if not set) the one with the least CPU counts. ROWS
// (5,000,000 if not set) can be 20,000,000. ONLY names the works to run, with commas between.
import { type Bench, type Figure, figure } from './bench.ts';
import { inTurns, Programs, type Taken } from './iceberg/contestants.ts';
import { type BenchTable, BenchTables } from './iceberg/tables.ts';
import { pythonWith } from './python.ts';

const ROWS = Number(process.env.ROWS ?? 5_000_000);
const PEOPLE = ROWS / 20;
const ONE = [Math.floor(PEOPLE / 3)];
/** In the smaller table too. */
const SOMEBODY = [Math.floor(PEOPLE / 15)];
const THOUSAND = Array.from({ length: 1000 }, (_, at) => 1 + Math.floor((at * PEOPLE) / 1000));
const ONLY = process.env.ONLY?.split(',');

/** CPU seconds of PyIceberg's delete of one person by those of DuckDB's COPY, as first measured. */
const RECORDED = 2.1;

interface Lab {
  readonly programs: Programs;
  readonly tables: BenchTables;
}

export const bench: Bench = async () => {
  const python = pythonWith('iceberg', new URL('iceberg/requirements.txt', import.meta.url));
  const lab: Lab = { programs: await Programs.make(python), tables: new BenchTables(python) };
  const figures: Figure[] = [];
  for (const [name, work] of Object.entries({ one, growth, thousand, scrub, expire, job })) {
    if (ONLY === undefined || ONLY.includes(name)) figures.push(...(await work(lab)));
  }
  return figures;
};

/** One person of whom nothing says which files hold them. */
async function one({ programs, tables }: Lab): Promise<readonly Figure[]> {
  const table = await tables.events(ROWS);
  const held = programs.holding(table, ONE);
  const what = `delete one of ${count(PEOPLE)} people, ${count(ROWS)} rows, ${held.length} of 12 files`;
  const { lethe, pyiceberg, copy } = inTurns(what, {
    lethe: checked(programs, table, ONE, () => programs.lethe('delete', table, ONE)),
    pyiceberg: checked(programs, table, ONE, () => programs.peer('delete', table, ONE)),
    copy: () => programs.copy(held, ONE),
  });
  agree(what, lethe, pyiceberg);
  const ratio = pyiceberg.cpu / copy.cpu;
  if (Math.abs(ratio / RECORDED - 1) > 0.3)
    throw new Error(
      `PyIceberg took ${ratio.toFixed(2)} of DuckDB's COPY, not ${RECORDED.toFixed(2)}: run it again`,
    );
  return [
    cpu(what, { lethe, peer: pyiceberg, peerName: 'PyIceberg', bound: 0.45 }),
    memory(what, { lethe, peer: pyiceberg, peerName: 'PyIceberg', bound: 0.5 }),
    cpu(what, { lethe, peer: copy, peerName: 'COPY of the files', bound: 1.15 }),
    figure({ what, unit: 'MB', lethe: lethe.peak, peer: 1000, peerName: 'the limit', bound: 1 }),
  ];
}

/** One person of a table and of one a fifth its size: processor time is to follow the rows of the files touched, memory nothing. */
async function growth({ programs, tables }: Lab): Promise<readonly Figure[]> {
  const [large, small] = [await tables.events(ROWS), await tables.events(ROWS / 5)];
  const what = `delete one person of ${count(ROWS)} rows beside a fifth of them: 5 is linear`;
  const { whole, fifth } = inTurns(what, {
    whole: () => programs.lethe('delete', large, SOMEBODY),
    fifth: () => programs.lethe('delete', small, SOMEBODY),
  });
  const both = { lethe: whole, peer: fifth, peerName: 'a fifth of it', bound: null };
  return [cpu(what, both), memory(what, both)];
}

async function thousand({ programs, tables }: Lab): Promise<readonly Figure[]> {
  const table = await tables.events(ROWS);
  const what = `delete 1,000 of ${count(PEOPLE)} people, ${count(ROWS)} rows, 12 files`;
  const { lethe, pyiceberg } = inTurns(what, {
    lethe: checked(programs, table, THOUSAND, () => programs.lethe('delete', table, THOUSAND)),
    pyiceberg: checked(programs, table, THOUSAND, () => programs.peer('delete', table, THOUSAND)),
  });
  agree(what, lethe, pyiceberg);
  return [
    cpu(what, { lethe, peer: pyiceberg, peerName: 'PyIceberg', bound: 0.75 }),
    memory(what, { lethe, peer: pyiceberg, peerName: 'PyIceberg', bound: null }),
    figure({ what, unit: 'MB', lethe: lethe.peak, peer: 1000, peerName: 'the limit', bound: 1 }),
  ];
}

/** What manifests keep of personal columns goes: without a data file here, by writing all of them again there. */
async function scrub({ programs, tables }: Lab): Promise<readonly Figure[]> {
  const table = await tables.files(5_000_000, 10_000);
  const what = 'scrub 10,000 data files';
  const { lethe } = inTurns(what, {
    lethe: checked(programs, table, [], () => programs.lethe('scrub', table)),
  });
  const { pyiceberg } = inTurns(
    what,
    { pyiceberg: checked(programs, table, [], () => programs.peer('rewrite', table)) },
    1,
  );
  agree(what, lethe, pyiceberg);
  return [cpu(what, { lethe, peer: pyiceberg, peerName: 'PyIceberg, all data again', bound: 0.02 })];
}

async function expire({ programs, tables }: Lab): Promise<readonly Figure[]> {
  const table = await tables.history(1000, 10_000);
  const what = 'expire and sweep 1,000 snapshots, 10,000 files';
  const { lethe, pyiceberg } = inTurns(what, {
    lethe: checked(programs, table, [], () => programs.lethe('expire', table)),
    pyiceberg: checked(programs, table, [], () => programs.peer('expire', table)),
  });
  agree(what, lethe, pyiceberg);
  return [cpu(what, { lethe, peer: pyiceberg, peerName: 'PyIceberg and a walk', bound: 1 })];
}

/**
 * All delete, rebuild, expire, sweep and look into every file; none may leave the person in one. Two peers: the program that PyIceberg was
 * first measured with, and one that keeps more of the job's promises: it plans from lineage, looks for mentions, keeps a journal, clears
 * manifests and writes evidence.
 */
async function job({ programs, tables }: Lab): Promise<readonly Figure[]> {
  const platform = await tables.platform();
  const what = 'the whole job on the platform, start included';
  const first = programs.firstJob();
  const { lethe, pyiceberg, ...rest } = inTurns<string>(what, {
    lethe: () => programs.letheJob(platform),
    pyiceberg: () => programs.peerJob(platform),
    ...(first && { first }),
  });
  const [ours, theirs] = [canonical(lethe!.result), canonical(pyiceberg!.result)];
  if (ours !== theirs || !ours.startsWith('{"holding":0,')) throw new Error(`${what}: ${ours} and ${theirs}`);
  const peers: Both[] = [
    { lethe: lethe!, peer: pyiceberg!, peerName: 'PyIceberg with more of the promises', bound: null },
  ];
  if (rest.first)
    peers.unshift({ lethe: lethe!, peer: rest.first, peerName: 'PyIceberg as first measured', bound: 0.6 });
  return peers.flatMap((both) => [cpu(what, both), memory(what, { ...both, bound: null })]);
}

/** Puts beside a run what another reader finds in the table afterwards. */
function checked(
  programs: Programs,
  table: BenchTable,
  ids: readonly number[],
  work: () => Taken,
): () => Taken {
  return () => ({ ...work(), result: programs.check(table, ids) });
}

function agree(what: string, one: Taken, other: Taken): void {
  const of = ({ result }: Taken): object => {
    const { rows, sum, people } = result as Readonly<Record<string, unknown>>;
    return { rows, sum, people };
  };
  if (canonical(of(one)) !== canonical(of(other)))
    throw new Error(`${what}: ${canonical(of(one))} and ${canonical(of(other))} are left`);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

interface Both {
  readonly lethe: Taken;
  readonly peer: Taken;
  readonly peerName: string;
  readonly bound: number | null;
}

function cpu(what: string, { lethe, peer, ...rest }: Both): Figure {
  return figure({ what, unit: 'CPU s', lethe: lethe.cpu, peer: peer.cpu, ...rest });
}

function memory(what: string, { lethe, peer, ...rest }: Both): Figure {
  return figure({ what, unit: 'MB', lethe: lethe.peak, peer: peer.peak, ...rest });
}

function count(number: number): string {
  return number.toLocaleString('en');
}
