import { InputError } from '../../src/errors.ts';
import { type LineageSource, readLineage } from '../../src/lineage/index.ts';
import type { Storage } from '../../src/storage/index.ts';
import { runEvents } from '../support/openlineage.ts';

// node read-bounded.ts event|folder: reads one event of 50 MB, or a folder of 100,000 files, and prints what it found. The test starts
// it with a heap that does not hold all of it.

const FILES = 100_000;
const MEGABYTE = 1024 * 1024;

/** Makes events, each of a run of its own, with a facet that only takes room. */
function events(room: number): (run: number) => string {
  const [event] = runEvents({ job: 'j', output: 'm.t', columns: { id: ['s.u.id'] } });
  const run = { runId: 'RUN', facets: { room: { text: 'x'.repeat(room) } } };
  const [head, tail] = JSON.stringify({ ...event, run }).split('RUN') as [string, string];
  return (number) => `${head}${number}${tail}`;
}

function largeEvent(): LineageSource {
  const event = Buffer.from(events(50 * MEGABYTE)(1));
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < event.length; at += MEGABYTE) yield event.subarray(at, at + MEGABYTE);
  };
  return { name: 'large.ndjson', bytes: bytes() };
}

const small = events(3000);

/** 300 MB of files that are made when they are read. */
const folder = {
  stat: async (location: string) => {
    if (location !== 'events') return { location, size: 1, modified: 0 };
    throw new InputError('storage/not-found', 'a folder is no file', { remedy: '' });
  },
  list: async function* () {
    for (let at = 0; at < FILES; at++) yield { location: `events/${at}.json`, size: 1, modified: 0 };
  },
  read: async (location: string) => Buffer.from(small(Number(/(\d+)\.json$/.exec(location)![1]))),
} as unknown as Storage;

const lineage =
  process.argv[2] === 'event'
    ? await readLineage({ from: [largeEvent()] })
    : await readLineage({ from: ['events'], storage: folder });
process.stdout.write(
  JSON.stringify({ events: lineage.events, edges: lineage.edges.length, skipped: lineage.skipped.length }),
);
