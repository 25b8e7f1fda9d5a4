import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Journal } from '../../../src/erasure/job/journal.ts';

test.each([
  'not a line',
  '{"kind":"before","table":"t","snapshotId":"12x"}',
  '{"kind":"changed","table":"t","rows":-5,"rowsCleared":0}',
  '{"kind":"changed","table":"t","rows":0.5,"rowsCleared":0}',
])('a broken line of a journal is refused as what it is, with its place: %s', async (line) => {
  const dir = await mkdtemp(join(tmpdir(), 'lethe-journal-'));
  try {
    const path = join(dir, 'journal.ndjson');
    await writeFile(path, `{"kind":"rebuilt","table":"t"}\n${line}\n{"kind":"rebuilt","table":"u"}\n`);
    await expect(Journal.open(path)).rejects.toMatchObject({
      kind: 'refused',
      code: 'journal/broken-line',
      data: { file: path, line: 2 },
    });
  } finally {
    await rm(dir, { recursive: true });
  }
});
