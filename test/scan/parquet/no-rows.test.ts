import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { id, long, scanner, text } from '../support/sought.ts';

const folder = join(import.meta.dirname, '../../fixtures/data-files/no-rows');

test.each(readdirSync(folder))('S2: a file without rows by pyarrow is read and clean (%s)', async (name) => {
  const scan = await scanner({
    texts: [text('zofia.haase@example.org')],
    ids: [id('learner_id', long(3590))],
  });
  expect(scan(join(folder, name))).toMatchObject({ matches: [], unread: [] });
});
