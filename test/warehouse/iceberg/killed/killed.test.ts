import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process, { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, test } from 'vitest';
import { system } from '../../../../src/cli/system.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import { parseJson, stringifyJson } from '../../../../src/values/json.ts';
import type { DataPlane } from '../../../../src/warehouse/data-plane.ts';
import { openIceberg } from '../../../../src/warehouse/iceberg/open.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { commitFiles, equalityDeletes } from '../../../support/delete-files.ts';
import { type Lake, makeLake } from '../../../support/lake.ts';
import { filesUnder } from '../../../support/manifests.ts';
import { PEOPLE, people, peopleFrom, readPeople } from '../../../support/rows.ts';
import { TABLE, WORKS, type Work } from './works.ts';

const MOST_STEPS = 100;
const SOURCE = fileURLToPath(new URL('writer.ts', import.meta.url));
/** One file without types starts three times as fast; where it is, it finds the packages that it needs. */
const WRITER = fileURLToPath(
  new URL(`../../../../node_modules/.cache/lethe-killed-writer-${process.pid}.mjs`, import.meta.url),
);

let plane: DataPlane;
beforeAll(async () => {
  await mkdir(join(WRITER, '..'), { recursive: true });
  await build({
    entryPoints: [SOURCE],
    outfile: WRITER,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  plane = await duckdbPlane({ storage: localStorage() });
});
afterAll(async () => {
  await plane.close();
  await rm(WRITER, { force: true });
});

/** Runs a work in a process that kills itself at a step; says whether it came that far. */
function killedAt(lake: Lake, work: Work, step: number): Promise<boolean> {
  const writer = spawn(execPath, [WRITER, lake.path, work, String(step)], {
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

/** A table of five people, as it is before a work. */
async function prepare(lake: Lake, work: Work): Promise<void> {
  await lake.warehouse.create(TABLE, {
    columns: PEOPLE,
    properties: { 'write.metadata.metrics.default': 'full' },
  });
  await lake.warehouse.append(TABLE, people(peopleFrom(1n, 5)));
  if (work === 'compact') {
    const id = { id: 1, name: 'id', required: false, type: 'long' };
    await commitFiles(lake, TABLE, [await equalityDeletes({ lake, plane, table: TABLE }, id, [3n])]);
  } else if (work !== 'change') await WORKS.change(lake.warehouse);
  if (work === 'scrub') await addStatistics(join(lake.path, 'crm/learners'));
}

test.concurrent.for(Object.keys(WORKS) as readonly Work[])(
  '%s that is killed at any step leaves every row, and nothing that the next run does not clear (hazard 38)',
  { timeout: 240_000 },
  async (work, { expect }) => {
    const lake = await makeLake();
    const copy = `${lake.path}-copy`;
    try {
      await prepare(lake, work);
      await cp(lake.path, copy, { recursive: true });
      const left = peopleFrom(1n, 5).filter(({ id }) => id !== 3n);
      let step = 1;
      for (; step < MOST_STEPS; step += 1) {
        await rm(lake.path, { recursive: true });
        await cp(copy, lake.path, { recursive: true });
        const killed = await killedAt(lake, work, step);
        // As another process would open it, but for the plane, which knows of no table.
        const warehouse = await openIceberg({
          catalog: { kind: 'directory', path: lake.path },
          ...system,
          plane,
        });
        await WORKS[work](warehouse);
        expect.soft(await readPeople(warehouse, TABLE), `rows, step ${step}`).toEqual(left);
        expect.soft(await warehouse.unreferenced(TABLE), `files, step ${step}`).toEqual([]);
        if (work === 'compact')
          expect.soft((await warehouse.describe(TABLE)).deleteFiles, `deletes, step ${step}`).toBe(0);
        if (!killed) break;
      }
      // The last run was not killed, and those before it were.
      expect(step).toBeGreaterThan(10);
      expect(step).toBeLessThan(MOST_STEPS);
      if (work === 'expire') expect(await filesUnder(join(lake.path, 'crm/learners/data'))).toHaveLength(1);
    } finally {
      await lake.close();
      await rm(copy, { recursive: true, force: true });
    }
  },
);
