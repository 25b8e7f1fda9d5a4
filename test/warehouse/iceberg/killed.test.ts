import { spawn } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { system } from '../../../src/cli/system.ts';
import { parseJson, stringifyJson } from '../../../src/values/json.ts';
import { openIceberg } from '../../../src/warehouse/index.ts';
import { type Lake, makeLake } from '../../support/lake.ts';
import { filesUnder } from '../../support/manifests.ts';
import { PEOPLE, people, peopleFrom, readPeople, withId } from '../../support/rows.ts';
import { doWork, TABLE } from './killed-work.ts';

const WRITER = fileURLToPath(new URL('killed-writer.ts', import.meta.url));
const MOST_STEPS = 100;

let lake: Lake;
let copy: string;
beforeEach(async () => {
  lake = await makeLake();
  copy = `${lake.path}-copy`;
});
afterEach(async () => {
  await lake.close();
  await rm(copy, { recursive: true, force: true });
});

/** Runs a work in a process that kills itself at a step; says whether it came that far. */
function killedAt(work: string, step: number): Promise<boolean> {
  const writer = spawn(execPath, ['--import', 'tsx', WRITER, lake.path, work, String(step)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    writer.on('error', reject).on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true);
      else if (code === 0) resolve(false);
      else reject(new Error(`the writer ended with ${code ?? signal}`));
    });
  });
}

/** The current snapshot gets a statistics file, which a scrub drops. */
async function addStatistics(folder: string): Promise<void> {
  const version = await readFile(join(folder, 'metadata/version-hint.text'), 'utf8');
  const file = join(folder, `metadata/v${version}.metadata.json`);
  const metadata = parseJson(await readFile(file, 'utf8')) as Record<string, unknown>;
  const statistics = {
    'snapshot-id': metadata['current-snapshot-id'],
    'statistics-path': join(folder, 'metadata/stats.puffin'),
    'file-size-in-bytes': 4,
    'file-footer-size-in-bytes': 4,
    'blob-metadata': [],
  };
  await writeFile(file, stringifyJson({ ...metadata, statistics: [statistics] }));
  await writeFile(join(folder, 'metadata/stats.puffin'), 'PFA1');
}

test.for(['change', 'scrub', 'expire'] as const)(
  '%s that is killed at any step leaves every row, and nothing that the next run does not clear (hazard 38)',
  { timeout: 240_000 },
  async (work) => {
    const folder = join(lake.path, 'crm/learners');
    await lake.warehouse.create(TABLE, {
      columns: PEOPLE,
      properties: { 'write.metadata.metrics.default': 'full' },
    });
    await lake.warehouse.append(TABLE, people(peopleFrom(1n, 5)));
    if (work !== 'change') await lake.warehouse.change(TABLE, { delete: withId(3n) }, {});
    if (work === 'scrub') await addStatistics(folder);
    await cp(lake.path, copy, { recursive: true });
    const left = peopleFrom(1n, 5).filter(({ id }) => id !== 3n);
    let step = 1;
    for (; step < MOST_STEPS; step += 1) {
      await rm(lake.path, { recursive: true });
      await cp(copy, lake.path, { recursive: true });
      const killed = await killedAt(work, step);
      const warehouse = await openIceberg({ catalog: { kind: 'directory', path: lake.path }, ...system });
      try {
        await doWork(warehouse, work);
        expect.soft(await readPeople(warehouse, TABLE), `rows, step ${step}`).toEqual(left);
        expect.soft(await warehouse.unreferenced(TABLE), `files, step ${step}`).toEqual([]);
      } finally {
        await warehouse.close();
      }
      if (!killed) break;
    }
    // The last run was not killed, and those before it were.
    expect(step).toBeGreaterThan(10);
    expect(step).toBeLessThan(MOST_STEPS);
    if (work === 'expire') expect((await filesUnder(join(folder, 'data'))).length).toBe(1);
  },
);
