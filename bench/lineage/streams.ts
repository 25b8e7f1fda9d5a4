// node streams.js lethe|parse FOLDER: reads all events in the files of a folder and prints the CPU seconds and the peak that it
// took, and how many events there were.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readLineage } from '../../src/lineage/index.ts';
import { localStorage } from '../../src/storage/local.ts';
import { peak } from '../peak.ts';

const [who, folder] = process.argv.slice(2) as [string, string];
const before = process.cpuUsage();
const events = who === 'lethe' ? await lethe() : await parse();
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ cpu: (user + system) / 1e6, peak: peak(), events }));

async function lethe(): Promise<number> {
  const lineage = await readLineage({ from: [folder], storage: localStorage() });
  if (lineage.skipped.length > 0) throw new Error(`${lineage.skipped.length} places could not be read`);
  return lineage.events;
}

/** JSON.parse and nothing else, one event a file: nothing of an event is kept. */
async function parse(): Promise<number> {
  let found = 0;
  for (const name of await readdir(folder))
    if (JSON.parse(readFileSync(join(folder, name), 'utf8')) !== null) found += 1;
  return found;
}
