import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isClean } from '../../../src/erasure/index.ts';
import { sha256 } from '../../../src/values/digest.ts';
import { eraseIn } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const lake = lakeOfEachTest();

test('E4: what others keep in the folder of the state stays, and so do their rights to it', async () => {
  const { state } = lake.folders;
  const theirs = join(state, '0123456789abcdef0123456789abcdef');
  await mkdir(join(theirs, 'metadata'), { recursive: true });
  await writeFile(join(theirs, 'metadata', 'v1.metadata.json'), '{}');
  await chmod(state, 0o770);
  expect(isClean(await eraseIn(lake))).toBe(true);
  expect(await readdir(join(theirs, 'metadata'))).toEqual(['v1.metadata.json']);
  expect((await stat(state)).mode & 0o777).toBe(0o770);
});

test("E4: a folder of somebody else's by a request's own name is not taken over", async () => {
  const taken = join(lake.folders.state, sha256('erasure-0001').slice(0, 32));
  await mkdir(taken, { recursive: true });
  await writeFile(join(taken, 'rows.csv'), '1\n');
  await expect(eraseIn(lake)).rejects.toMatchObject({ code: 'disk/failed', kind: 'failed' });
  expect(await readdir(taken)).toEqual(['rows.csv']);
  expect(await lake.register.entries()).toEqual([]);
});

test('E3: what a job left that was killed before it began is removed with its values', async () => {
  const left = join(lake.folders.state, sha256('erasure-0000').slice(0, 32));
  await mkdir(left, { recursive: true });
  for (const name of ['private.json', 'private.json.draft']) await writeFile(join(left, name), '{}');
  await eraseIn(lake);
  expect(await readdir(lake.folders.state)).toEqual([]);
});
