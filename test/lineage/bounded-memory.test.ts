import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('read-bounded.ts', import.meta.url));

/** Reads in a process of its own whose heap is too small to keep what was read. */
async function readWithin(megabytes: number, what: 'event' | 'folder'): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`--max-old-space-size=${megabytes}`, '--import', 'tsx', script, what],
    { encoding: 'utf8' },
  );
  return JSON.parse(stdout);
}

test('an event of 50 MB is read with the memory of a few of its copies', async () => {
  expect(await readWithin(250, 'event')).toEqual({ events: 1, edges: 1, skipped: 0 });
});

test('a folder of 100,000 files and 300 MB is read one after another', async () => {
  expect(await readWithin(350, 'folder')).toEqual({ events: 100_000, edges: 1, skipped: 0 });
}, 240_000);
