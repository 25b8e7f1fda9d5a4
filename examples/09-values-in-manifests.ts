// A manifest keeps the smallest and the largest value of every column of every data file, so each file names two people per
// column, whoever is erased. The classifications say where that must not be; the table properties are generated from them.

import { applyProperties, missingProperties } from 'lethe';
import { eraseLearner } from './erasure.ts';
import { examplePlatform, say } from './notebook.ts';
import type { Platform } from './platform/index.ts';

const LEARNER = 4998;
const METRICS = 'write.metadata.metrics.column.';

for (const properties of [false, true]) {
  // %% One platform with Iceberg's own statistics, one with the generated properties
  const platform = await examplePlatform({ properties });
  const label = properties ? 'statistics off for protected columns' : 'default statistics';
  if (properties) await sayProperties(platform);

  // %% What the manifests say of people
  await sayBounds(platform, label);

  // %% Erase the learner whose email is the platform's largest, and read every file that is left. Nothing is found either way:
  // where other writers leave the deleted file's bounds in a manifest, an erasure's scrub leaves no deleted entry at all
  const evidence = await eraseLearner(platform, { learner: LEARNER, request: 'erasure-0002' });
  say(
    `${label}, files holding learner ${LEARNER} after erasure, expiry and sweep`,
    evidence.totals.filesHolding,
  );

  // %% A platform that was made without them gets them later: metadata only, no row is read or written
  if (!properties) await sayApplying(platform);
  await platform.close();
}

async function sayProperties({ warehouse, governance }: Platform): Promise<void> {
  const states = await missingProperties({ warehouse, governance });
  const off = (tables: readonly string[]): number =>
    tables.flatMap((table) => Object.keys(states.get(table)!.wanted)).filter((key) => key.startsWith(METRICS))
      .length;
  const unclassified = [...states.keys()].filter((table) => !governance.metadata.has(table));
  const wanted = Object.entries(states.get('crm.learners')!.wanted);
  say('columns with statistics turned off', off([...states.keys()]));
  say('of them in tables nobody has classified', off(unclassified));
  say('crm.learners, properties set', wanted.length);
  for (const [key, value] of wanted) console.log(`  ${key} = ${value}`);
}

async function sayBounds({ warehouse, governance }: Platform, label: string): Promise<void> {
  const columns = governance.metadata.get('crm.learners')!.columns;
  const personal = [...columns].flatMap(([name, { classification }]) =>
    classification === 'personal' ? [name] : [],
  );
  const bounds = await warehouse.bounds('crm.learners');
  const { lower, upper } = bounds.find(({ column }) => column === 'email')?.values.reveal() ?? {
    lower: null,
    upper: null,
  };
  const named = new Set(bounds.map(({ column }) => column));
  say(`${label}, crm.learners email bounds`, `${lower ?? 'none'} to ${upper ?? 'none'}`);
  say(`${label}, crm.learners personal columns`, personal.length);
  say(`${label}, of them with bounds in the manifest`, personal.filter((name) => named.has(name)).length);
}

async function sayApplying({ warehouse, governance }: Platform): Promise<void> {
  const before = await dataFiles();
  const applied = await applyProperties({ warehouse, governance, minAgeMs: 0 });
  const after = await dataFiles();
  say(
    'applied later, tables that got properties',
    applied.filter(({ set }) => Object.keys(set).length > 0).length,
  );
  say(
    'applied later, bounds taken out of manifests',
    applied.reduce((sum, { boundsDropped }) => sum + boundsDropped, 0),
  );
  say('applied later, data files written', after.filter((file) => !before.includes(file)).length);

  async function dataFiles(): Promise<readonly string[]> {
    const files: string[] = [];
    for (const table of await warehouse.list()) {
      const { location } = await warehouse.describe(table);
      for await (const file of warehouse.storage.list(`${location}/data`)) files.push(file.location);
    }
    return files;
  }
}
