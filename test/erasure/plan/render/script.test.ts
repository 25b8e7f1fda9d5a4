import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../architecture/sources.ts';

test('the page’s script is made from its sources as they are', async () => {
  // A variable, because the script is JavaScript without types.
  const maker = join(root, 'scripts/page.mjs');
  const { pageScript } = (await import(maker)) as { pageScript: () => Promise<string> };
  const committed = await readFile(join(root, 'src/erasure/plan/render/page/script.ts'), 'utf8');
  if (committed !== (await pageScript()))
    expect.fail('script.ts is older than browser/: run `npm run build:page`');
});
