import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type Lake, makeLake } from './lake.ts';

/** A lake in a temporary folder, made before each test of the file, prepared, and removed after it. */
export function lakeOfEachTest(prepare: (lake: Lake) => Promise<void> = async () => {}): Lake {
  let made: Lake;
  beforeEach(async () => {
    made = await makeLake(await mkdtemp(join(tmpdir(), 'lethe-job-')));
    await prepare(made);
  });
  afterEach(async () => {
    await made.warehouse.close();
    await rm(made.dir, { recursive: true, force: true });
  });
  return new Proxy({} as Lake, { get: (_, property) => Reflect.get(made, property) });
}
