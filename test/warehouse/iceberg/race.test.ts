import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { type Lake, makeLake } from '../../support/lake.ts';

const WRITER = fileURLToPath(new URL('race-writer.ts', import.meta.url));
const COMMITS = 4;

let lake: Lake;
afterEach(() => lake.close());

/** Runs the writer as a process of its own; gives its exit code. */
function run(...args: readonly string[]): Promise<number | null> {
  const writer = spawn(execPath, ['--import', 'tsx', WRITER, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    writer.on('exit', resolve).on('error', reject);
  });
}

test('E6: processes that write to one table lose nothing, and leave no file behind', async () => {
  lake = await makeLake();
  const { warehouse, path } = lake;
  await warehouse.create('t', { columns: [{ name: 'id', type: 'long' }] });
  const writers = ['1000', '2000', '9007199254740993'];
  const codes = await Promise.all(writers.map((first) => run(path, first, String(COMMITS))));
  expect(codes).toEqual([0, 0, 0]);
  const ids: string[] = [];
  for await (const [id] of warehouse.distinct('t', ['id'])) ids.push(String(id?.value));
  const expected = writers.flatMap((first) =>
    Array.from({ length: COMMITS }, (_, index) => String(BigInt(first) + BigInt(index))),
  );
  expect(ids.sort()).toEqual(expected.sort());
  const { snapshots } = await warehouse.describe('t');
  expect(snapshots).toHaveLength(writers.length * COMMITS * 2);
  expect(await warehouse.unreferenced('t')).toEqual([]);
  expect(await readdir(`${path}/t/metadata/_attempts`)).toEqual([]);
});
