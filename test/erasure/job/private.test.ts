import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eraseIn, PERSON, VALUES } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const lake = lakeOfEachTest();

test('E3: no value of the person is in any commit, progress, evidence, journal or register', async () => {
  const said: unknown[] = [];
  // Left open on purpose, so that the private folder is still there to look at.
  await writeFile(join(lake.dir, 'warehouse', 'crm', 'learners', 'data', `${PERSON.email}.csv`), PERSON.name);
  const evidence = await eraseIn(lake, { progress: (event) => said.push(event) });
  expect(evidence.totals.filesHolding).toBe(1);
  expect(evidence.young[0]!.file).toContain('***');
  const texts = [JSON.stringify(said), JSON.stringify(evidence)];
  const files = await readdir(lake.dir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile())) {
    const path = join(file.parentPath, file.name);
    if (path.endsWith('.csv')) continue;
    if (file.name === 'private.json') {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(file.parentPath)).mode & 0o777).toBe(0o700);
      continue;
    }
    if (path.includes('billing') && path.endsWith('.parquet')) continue;
    texts.push(await readFile(path, 'latin1'));
  }
  for (const text of texts) {
    const lower = text.toLowerCase();
    expect(VALUES.filter((value) => lower.includes(value.toLowerCase()))).toEqual([]);
  }
  const { snapshots } = await lake.warehouse.describe('crm.learners');
  expect(snapshots.at(-1)!.summary['erasure-request']).toBe('erasure-0001');
});

test.each([
  ['the email', `erase-${PERSON.email.toLowerCase().replace('@', '-')}`],
  ['the name', `for.${PERSON.name.replace(' ', '_')}`],
  ['the id', `learner-${PERSON.id}`],
  ['the id as exports write it', `R00${PERSON.id}b`],
])('E3: a request that is named for %s is refused before it reaches a commit', async (_, request) => {
  const error = await eraseIn(lake, { request }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'erasure/names-person', kind: 'input' });
  for (const value of VALUES) expect(error.message.toLowerCase()).not.toContain(value.toLowerCase());
  expect(await lake.register.entries()).toEqual([]);
});

test.each(['', ' ', 'a\nb', `x${'y'.repeat(100)}`])('a request cannot be called %j', async (request) => {
  await expect(eraseIn(lake, { request })).rejects.toMatchObject({ code: 'erasure/request' });
});
