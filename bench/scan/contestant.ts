// node contestant.mjs FOLDER SOUGHT: scans every file of a folder as the library does, and prints the CPU seconds and the peak that
// the whole process took, and the files that hold what is sought. SOUGHT is the file that peer.py reads.
import { readFileSync } from 'node:fs';

import { makeTraces, scan } from '../../src/scan/index.ts';
import { localStorage } from '../../src/storage/local.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import { peak } from '../peak.ts';
import type { Sought } from './sought.ts';

const [folder, file] = process.argv.slice(2) as [string, string];
const { texts, ids, idColumns } = JSON.parse(readFileSync(file, 'utf8')) as Sought;
const traces = makeTraces({
  subject: 'learner',
  texts: texts.map((text) => ({ text, wholeCell: false, shared: false })),
  ids: (ids.length === 0 ? [] : idColumns).map((column) => ({
    ...{ table: null, columns: [column], expectedIn: [], shared: false },
    values: ids.map((value) => [{ type: 'long', value: String(value) }]),
  })),
});
// Only what a scan asks of a warehouse: a folder that no table claims, as a copy of a table would lie there.
const warehouse = { storage: localStorage(), root: folder, list: async () => [] } as unknown as Warehouse;
const { tables, totals } = await scan({ warehouse, traces, workers: 2 });
if (totals.notProven > 0) throw new Error(`${totals.notProven} files could not be read`);
const holding = tables.flatMap(({ found }) =>
  found.filter(({ kind }) => kind === 'data').map((each) => each.file),
);
const { user, system } = process.cpuUsage();
const inFolder = [...new Set(holding)].map((path) => path.slice(folder.length + 1)).sort();
process.stdout.write(JSON.stringify({ cpu: (user + system) / 1e6, peak: peak(), holding: inFolder }));
