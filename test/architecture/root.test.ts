import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as root from '../../src/index.ts';
import { root as repository } from './sources.ts';

const folders = readdirSync(join(repository, 'src'), { withFileTypes: true })
  .filter(
    (entry) => entry.isDirectory() && readdirSync(join(repository, 'src', entry.name)).includes('index.ts'),
  )
  .map((entry) => entry.name);

test.each(folders)('the root names everything that lethe/%s gives', async (folder) => {
  const entry: object = await import(`../../src/${folder}/index.ts`);
  expect(Object.keys(entry).length).toBeGreaterThan(0);
  expect(Object.keys(entry).filter((name) => !Object.hasOwn(root, name))).toEqual([]);
});
