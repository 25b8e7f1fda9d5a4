// node job.mjs FOLDER GOVERNANCE: the whole erasure of learner 3590 on the example platform: plan, delete, clear, rebuild, expire,
// sweep, scan, evidence. Prints the CPU seconds and the peak of this process from its start, and the rows of every table.
import { join } from 'node:path';
import { pipelines } from '../../examples/platform/pipelines/index.ts';
import { runPipeline } from '../../examples/platform/pipelines/run-pipeline.ts';
import { system } from '../../src/cli/system.ts';
import { erase } from '../../src/erasure/job/index.ts';
import { loadGovernance } from '../../src/governance/index.ts';
import { readLineage } from '../../src/lineage/index.ts';
import { openRegister } from '../../src/register/index.ts';
import { localStorage } from '../../src/storage/local.ts';
import { openIceberg } from '../../src/warehouse/index.ts';
import { peak } from '../peak.ts';

const [dir, rules] = process.argv.slice(2) as [string, string];
const tables = join(dir, 'warehouse');
const events = join(dir, 'lineage');
const governance = await loadGovernance(rules);
const warehouse = await openIceberg({ catalog: { kind: 'directory', path: tables }, ...system });
const names = await warehouse.list();
const lineage = await readLineage({
  from: [events],
  storage: localStorage(),
  names: governance.names,
  tables: names,
});
const rebuilt = pipelines.course_performance;
const evidence = await erase({
  warehouse,
  governance,
  lineage,
  subject: 'learner',
  ids: [3590],
  request: 'bench-0001',
  day: '2026-10-01',
  minAgeMs: 0,
  register: await openRegister({
    path: join(dir, 'register.ndjson'),
    keys: { bench: 'a key of this bench, thirty-two bytes or more' },
    current: 'bench',
  }),
  state: join(dir, '.lethe'),
  evidence: join(dir, 'evidence'),
  jobs: {
    [rebuilt.table]: async () => {
      await runPipeline(rebuilt, { warehouse, tables, events, ...system });
    },
  },
  clock: system.clock,
});
const rows: Record<string, number> = {};
const measured = process.cpuUsage();
for (const name of names) rows[name] = (await warehouse.describe(name)).rows;
await warehouse.close();
const result = { holding: evidence.totals.filesHolding, rows };
process.stdout.write(JSON.stringify({ cpu: (measured.user + measured.system) / 1e6, peak: peak(), result }));
