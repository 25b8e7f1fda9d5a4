import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../src/warehouse/planes/duckdb/temporary.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'lethe-test-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const host = hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');

/** A folder as a process of that id and machine leaves it when it is killed. */
function leftBy(pid: number, machine = host): string {
  const folder = join(parent, `lethe-duckdb-${machine}-${pid}-aBcDeF`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'spilled.tmp'), 'values');
  return basename(folder);
}

/** The id of a process that has ended. */
function endedProcess(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid;
}

test('is private, named for its process, and goes with all that is in it', async () => {
  const folder = await temporaryFolder(parent);
  expect(statSync(folder.path).mode & 0o777).toBe(0o700);
  expect(basename(folder.path)).toContain(`-${process.pid}-`);
  writeFileSync(join(folder.path, 'spilled.tmp'), 'values');
  await folder.remove();
  expect(readdirSync(parent)).toEqual([]);
});

test('what a killed process left goes at the next start', async () => {
  const left = leftBy(endedProcess());
  const folder = await temporaryFolder(parent);
  expect(readdirSync(parent)).toEqual([basename(folder.path)]);
  expect(readdirSync(parent)).not.toContain(left);
});

test('a folder of a living process, of another machine, or of another name stays', async () => {
  const ended = endedProcess();
  const kept = [leftBy(process.ppid), leftBy(ended, 'elsewhere'), `other-${ended}-x`];
  mkdirSync(join(parent, kept[2]!));
  await temporaryFolder(parent);
  expect(readdirSync(parent)).toEqual(expect.arrayContaining(kept));
});

test('says where no folder can be made', async () => {
  const nowhere = join(parent, 'nowhere');
  const error = { code: 'plane/temporary', data: { folder: nowhere } };
  await expect(temporaryFolder(nowhere)).rejects.toMatchObject(error);
});
