import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'vitest';
import { raceOn } from '../../support/race.ts';
import { startRestCatalog } from '../../support/rest-catalog.ts';

let path: string;
beforeEach(async () => {
  path = await realpath(await mkdtemp(join(tmpdir(), 'lethe-race-')));
});
afterEach(() => rm(path, { recursive: true, force: true }));

test('E6: two processes lose nothing on a catalog in SQLite', () =>
  raceOn({ kind: 'sql', url: `sqlite:${path}/catalog.db`, warehouse: join(path, 'wh'), create: true }));

test('E6: two processes lose nothing on a REST catalog', async () => {
  const stub = await startRestCatalog({ warehouse: path });
  try {
    await raceOn({ kind: 'rest', uri: stub.uri });
  } finally {
    await stub.close();
  }
});
