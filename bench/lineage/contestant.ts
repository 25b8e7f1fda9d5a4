// node contestant.js lethe|parse|parse-bytes FILE SEEDS: does the work and prints the CPU seconds and the peak that it took. SEEDS is a JSON
// list of [namespace, name, column].
import { createReadStream } from 'node:fs';
import { planErasure } from '../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../src/governance/index.ts';
import { groupBy } from '../../src/lineage/group.ts';
import { type Lineage, readLineage } from '../../src/lineage/index.ts';
import { localStorage } from '../../src/storage/local.ts';
import { peak } from '../peak.ts';
import type { Seed } from './generate.ts';

const [who, file, wanted] = process.argv.slice(2) as [string, string, string];
const before = process.cpuUsage();
const work: Readonly<Record<string, () => Promise<number>>> = {
  lethe: () => lethe(JSON.parse(wanted) as readonly Seed[]),
  parse,
  'parse-bytes': parseBytes,
};
const reached = await work[who]!();
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ cpu: (user + system) / 1e6, peak: peak(), reached }));

/** Reads, builds, walks from the seeds, and plans an erasure over every table. */
async function lethe(seeds: readonly Seed[]): Promise<number> {
  const lineage = await readLineage({ from: [file], storage: localStorage() });
  const governance = parseGovernance({
    'retention.toml':
      '[erasure.subjects.person]\nidentifying = []\nid_type = "text"\nid_columns = ["column_000"]\n',
  });
  const plan = planErasure({ governance, lineage, tables: lineage.tables, subject: 'person' });
  if (plan.steps.length === 0) throw new Error('the plan is empty');
  return walk(lineage, seeds);
}

function walk({ columns, writes }: Lineage, seeds: readonly Seed[]): number {
  const size = writes.reduce((sum, { edges }) => sum + edges.from.length, 0);
  const [from, to] = [new Int32Array(size), new Int32Array(size)];
  let filled = 0;
  for (const { edges } of writes) {
    from.set(edges.from, filled);
    to.set(edges.to, filled);
    filled += edges.from.length;
  }
  const { starts, items } = groupBy(from, columns.names.length);
  const queue = columnsOf(columns, seeds);
  const begun = queue.length;
  const seen = new Uint8Array(columns.names.length);
  for (const column of queue) seen[column] = 1;
  for (let at = 0; at < queue.length; at++)
    for (let item = starts[queue[at]!]!; item < starts[queue[at]! + 1]!; item++) {
      const next = to[items[item]!]!;
      if (seen[next] === 1) continue;
      seen[next] = 1;
      queue.push(next);
    }
  return queue.length - begun;
}

/** The numbers of the seeds that lineage names. */
function columnsOf({ names, tables, tableNames }: Lineage['columns'], seeds: readonly Seed[]): number[] {
  const wanted = new Map<string, Set<string>>();
  for (const [, table, column] of seeds) wanted.set(table, (wanted.get(table) ?? new Set()).add(column));
  const byTable = tableNames.map((table) => wanted.get(table));
  const found: number[] = [];
  for (let column = 0; column < names.length; column++)
    if (byTable[tables[column]!]?.has(names[column]!) === true) found.push(column);
  return found;
}

/** JSON.parse and nothing else, of the lines of a stream of text: as Node programs read NDJSON. */
async function parse(): Promise<number> {
  let rest = '';
  let events = 0;
  const chunks = createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 });
  for await (const chunk of chunks as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (JSON.parse(line) !== null) events += 1;
  }
  return events;
}

/** The same with lines found in the bytes and decoded one by one: the least that reading in Node took until now. */
async function parseBytes(): Promise<number> {
  let open: Buffer[] = [];
  let events = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let begin = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, begin)) {
      const line =
        open.length === 0 ? chunk.subarray(begin, at) : Buffer.concat([...open, chunk.subarray(0, at)]);
      open = [];
      if (JSON.parse(line.toString('utf8')) !== null) events += 1;
      begin = at + 1;
    }
    if (begin < chunk.length) open.push(chunk.subarray(begin));
  }
  return events;
}
