import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Table, tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { system } from '../../src/cli/system.ts';
import type { Predicate } from '../../src/predicate/predicate.ts';
import { openIceberg } from '../../src/warehouse/index.ts';
import type { RowWork, Warehouse } from '../../src/warehouse/warehouse.ts';
import { ALL_BUT_CURRENT } from '../support/all-but-current.ts';

/** Lakes by seed: a third of each version. Set LETHE_RANDOM_SEEDS to `FIRST COUNT` to look further. */
const [FIRST, COUNT] = (process.env.LETHE_RANDOM_SEEDS ?? '1 24').split(' ');

interface Step {
  readonly do: 'read' | 'count' | 'change' | 'scrub' | 'expire' | 'sweep';
  readonly table: string;
  readonly where?: Predicate;
  readonly work?: RowWork;
  /** Where rows that are read go. */
  readonly out: string;
}

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lethe-random-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command of random/main.py; gives what it prints. */
async function python(...args: readonly string[]): Promise<string> {
  const program = fileURLToPath(new URL('random/main.py', import.meta.url));
  const { stdout } = await promisify(execFile)(inject('python'), ['-B', program, ...args], {
    maxBuffer: 2 ** 28,
  });
  return stdout;
}

/** Carries out a step; gives the number of rows that it counted or deleted. */
async function carryOut(
  warehouse: Warehouse,
  { do: what, table, where, work, out }: Step,
): Promise<number | null> {
  switch (what) {
    case 'count':
      return warehouse.count(table, where);
    case 'change':
      return (await warehouse.change(table, work!, {})).rowsDeleted;
    case 'read': {
      const batches = [];
      for await (const batch of warehouse.read(table)) batches.push(batch);
      if (batches.length > 0) await writeFile(out, tableToIPC(new Table(batches), 'file'));
      return null;
    }
    case 'scrub':
      await warehouse.scrub(table, {});
      return null;
    case 'expire':
      await warehouse.expire(table, ALL_BUT_CURRENT);
      return null;
    case 'sweep':
      await warehouse.sweep(table, { minAgeMs: 0 });
      return null;
  }
}

test('whatever another engine left: Lethe counts, deletes, clears and cleans as the truth says, and nothing of the erased is in a file', async () => {
  await python('make', folder, FIRST!, COUNT!);
  const lakes: readonly { readonly lake: string; readonly steps: readonly Step[] }[] = JSON.parse(
    await readFile(join(folder, 'lakes.json'), 'utf8'),
  );
  const results = [];
  for (const { lake, steps } of lakes) {
    const warehouse = await openIceberg({ catalog: { kind: 'directory', path: lake }, ...system });
    const done = [];
    for (const step of steps) done.push(await carryOut(warehouse, step));
    await warehouse.close();
    results.push(done);
  }
  await writeFile(join(folder, 'results.json'), JSON.stringify(results));
  expect(JSON.parse(await python('check', folder))).toEqual([]);
  expect(results.flat().some((counted) => (counted ?? 0) > 0)).toBe(true);
});
