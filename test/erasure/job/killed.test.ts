import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkEvidence, isClean } from '../../../src/erasure/index.ts';
import { eraseIn, ROWS_LEFT, rowsOf } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const script = fileURLToPath(new URL('./killed-job.ts', import.meta.url));

const lake = lakeOfEachTest();

/** Runs the job in a process of its own; resolves with the signal that ended it, or null where it ended by itself. */
async function killedAt(point: string, after?: number): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, lake.dir, point], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  if (after !== undefined) {
    await wait(after);
    child.kill('SIGKILL');
  }
  const [, signal] = await ended;
  return signal as NodeJS.Signals | null;
}

/** Starting the same request again ends as if nothing had happened. */
async function finishes(): Promise<void> {
  const { warehouse, register, folders } = lake;
  const evidence = await eraseIn(lake);
  expect(isClean(evidence)).toBe(true);
  expect(evidence.tables.map(({ table, rows, rowsCleared }) => [table, rows, rowsCleared])).toEqual([
    ['billing.payments', 0, 2],
    ['crm.learners', 1, 0],
    ['learning.reviews', 1, 0],
    ['support.tickets', 0, 0],
    ['analytics.counts', 0, 0],
    ['ai.corpus', 1, 0],
  ]);
  expect(await rowsOf(warehouse)).toEqual(ROWS_LEFT);
  expect((await register.entries()).map(({ state }) => state)).toEqual(['open', 'closed']);
  const { bundles, problems } = await checkEvidence(folders.evidence);
  expect(problems).toEqual([]);
  expect(bundles).toHaveLength(1);
  expect(await readdir(folders.state)).toEqual([]);
}

test.each([
  ['before the register knows', 'register:open'],
  ['before the first delete', 'before:change:1'],
  ['after a commit that it could not write down', 'after:change:1'],
  ['after the bridge is deleted, whose values only the private file still has', 'after:change:2'],
  ['after the kept columns are cleared', 'after:change:5'],
  ['while the table that is rebuilt is away', 'after:drop:1'],
  ['before the rebuilt table has rows', 'after:create:1'],
  ['after a scrub', 'after:scrub:2'],
  ['after the first snapshots are gone', 'after:expire:3'],
  [
    'between expiry and the removal of a data file, which holds the person and has no name',
    'remove:crm/learners/data/.*parquet',
  ],
  ['between expiry and the removal of a manifest', 'remove:crm/learners/metadata/.*avro'],
  ['before the scan', 'stage:scan'],
  ['before the evidence', 'stage:evidence'],
  ['after the evidence, before the register is closed', 'register:closed'],
])('E4: killed %s, the job is finished by starting it again', async (_, point) => {
  expect(await killedAt(point)).toBe('SIGKILL');
  await finishes();
});

test.each([700, 1100, 1600])(
  'E4: killed after %i ms, wherever that is, it is finished by starting it again',
  async (after) => {
    await killedAt('stage:none', after);
    // A job that was quicker is over: its request is not begun again.
    if (
      (await readdir(lake.folders.state).catch(() => [])).length > 0 ||
      (await lake.register.entries()).length === 0
    ) {
      await finishes();
    }
    expect(await rowsOf(lake.warehouse)).toEqual(ROWS_LEFT);
  },
);
