import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Libsql from 'libsql';
import { expect, test } from 'vitest';

const WRITER = fileURLToPath(new URL('pointer-writer.ts', import.meta.url));
const MOVES = 150;

test('E6: of processes that move one pointer in SQLite, each state has one successor', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lethe-pointer-'));
  const file = join(folder, 'catalog.db');
  const run = async (who: string): Promise<readonly string[]> => {
    const args = ['--import', 'tsx', WRITER, file, who, String(MOVES)];
    const { stdout } = await promisify(execFile)(execPath, args);
    return stdout.trim().split('\n');
  };
  try {
    const steps = (await Promise.all([run('a'), run('b')])).flat().map((step) => step.split(' '));
    const next = new Map(steps.map(([from = '', to = '']) => [from, to]));
    expect(next.size).toBe(2 * MOVES);
    let at = 'begin';
    for (let step = 0; step < 2 * MOVES; step += 1) at = next.get(at) ?? 'a step is missing';
    const database = new Libsql(file);
    const [row] = database
      .prepare('SELECT metadata_location FROM iceberg_tables')
      .raw()
      .all([]) as string[][];
    database.close();
    expect(row).toEqual([at]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
