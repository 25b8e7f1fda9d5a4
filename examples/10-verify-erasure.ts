// The whole job on a platform whose manifests keep no values of people: plan, note what to look for, check every table,
// delete, clear, rebuild, scrub, expire, sweep, and read every file that is left. What it returns is the evidence.

import { missingProperties } from 'lethe';
import { eraseLearner } from './erasure.ts';
import { examplePlatform, say } from './notebook.ts';

// %% The job
const platform = await examplePlatform({ properties: true });
const { warehouse, governance } = platform;
const evidence = await eraseLearner(platform, { learner: 3590, request: 'erasure-0001' });

// %% Every file that is left was read, in tables that the plan names and in those that it does not
const places = [...evidence.tables, ...evidence.elsewhere].toSorted((a, b) => (a.table < b.table ? -1 : 1));
for (const { table, filesRead, filesHolding } of places) {
  say(table, `${filesRead} files read, ${filesHolding} holding the learner`);
}

// %% The evidence: ids of requests, counts and reasons, and no value of the learner
const { tables, totals } = evidence;
const sum = (count: (table: (typeof tables)[number]) => number): number =>
  tables.reduce((total, table) => total + count(table), 0);
const kept = tables.filter(({ action }) => action === 'keep');
say('request', evidence.request);
say('tables visited', tables.length);
say('rows deleted', totals.rows);
say(
  'tables rebuilt',
  tables.flatMap(({ action, table }) => (action === 'rebuild' ? [table] : [])).join(', '),
);
say(
  'tables kept under an exception, columns erased',
  kept.map(({ table, cleared }) => [table, ...cleared].join(', ')).join('; '),
);
say(
  'snapshots a reader can still time travel to',
  sum(({ snapshotsLeft }) => snapshotsLeft),
);
say(
  'files no metadata references',
  sum(({ unreferenced }) => unreferenced),
);

// %% One warning: the job that rebuilds this table drops it first, and its properties with it
const states = [...(await missingProperties({ warehouse, governance }))];
const missing = states.filter(([, state]) => Object.keys(state.missing).length > 0).map(([table]) => table);
say('tables missing their generated properties', missing.join(', '));
say('files read', totals.filesRead);
say('files holding the learner', totals.filesHolding);

await platform.close();
