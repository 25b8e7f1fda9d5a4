import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expandGlobs } from '../../../src/cli/config/locations.ts';

test('globs become their files, other paths stay', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lethe-globs-'));
  await mkdir(join(dir, 'a', 'b'), { recursive: true });
  for (const name of ['a/1.ndjson', 'a/b/2.ndjson', 'a/.3.ndjson', 'a/note.txt']) {
    await writeFile(join(dir, name), '');
  }
  expect(await expandGlobs([join(dir, 'a/**/*.ndjson'), join(dir, 'a')])).toEqual([
    join(dir, 'a/.3.ndjson'),
    join(dir, 'a/1.ndjson'),
    join(dir, 'a/b/2.ndjson'),
    join(dir, 'a'),
  ]);
  await expect(expandGlobs([join(dir, '*.gone')])).rejects.toMatchObject({ code: 'cli/no-events' });
});
