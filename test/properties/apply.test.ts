import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyProperties, missingProperties } from '../../src/properties/index.ts';
import { makeLake } from '../erasure/job/lake.ts';

async function dataFiles(dir: string): Promise<readonly string[]> {
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.name.endsWith('.parquet'))
    .map((file) => join(file.parentPath, file.name));
  const stats = await Promise.all(paths.map(async (path) => [path, await stat(path)] as const));
  return stats.map(([path, { size, mtimeMs }]) => `${path} ${size} ${mtimeMs}`).sort();
}

test('P2: real tables lose the values in their manifests, and no data file is read or written for it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lethe-properties-'));
  const { warehouse, governance } = await makeLake(dir);
  try {
    const before = await dataFiles(dir);
    const applied = await applyProperties({ warehouse, governance, minAgeMs: 0 });
    expect(applied.every(({ left }) => left.length === 0)).toBe(true);
    expect(applied.find(({ table }) => table === 'crm.learners')).toMatchObject({
      boundsDropped: expect.any(Number),
      snapshotsExpired: 1,
    });
    expect(applied.reduce((sum, { boundsDropped }) => sum + boundsDropped, 0)).toBeGreaterThan(10);
    expect(await dataFiles(dir)).toEqual(before);
    const missing = [...(await missingProperties({ warehouse, governance })).values()].map(
      (state) => state.missing,
    );
    expect(missing.every((each) => Object.keys(each).length === 0)).toBe(true);
    const again = await applyProperties({ warehouse, governance, minAgeMs: 0 });
    expect(
      again.map(({ set, boundsDropped, snapshotsExpired }) => [set, boundsDropped, snapshotsExpired]),
    ).toEqual(again.map(() => [{}, 0, 0]));
    const metadata = await readdir(dir, { recursive: true });
    await applyProperties({ warehouse, governance, minAgeMs: 0 });
    expect(await readdir(dir, { recursive: true })).toEqual(metadata);
  } finally {
    await warehouse.close();
    await rm(dir, { recursive: true, force: true });
  }
});
