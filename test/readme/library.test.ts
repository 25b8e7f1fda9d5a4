import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';

const DOCUMENT = readFileSync(join(root, 'docs/library.md'), 'utf8');
const SCRIPTS = {
  erasure: fileURLToPath(new URL('library/erasure.ts', import.meta.url)),
  rows: fileURLToPath(new URL('library/rows.ts', import.meta.url)),
  test: fileURLToPath(new URL('library/orders.test.ts', import.meta.url)),
};
const EVENTS = /```json\n(.*?)```/s;

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-library-'));
  await mkdir(join(dir, 'warehouse'));
  await mkdir(join(dir, 'lineage'));
  await mkdir(join(dir, 'governance'));
  const governance = readFileSync(join(root, 'docs/governance.md'), 'utf8');
  await writeFile(join(dir, 'lineage/events.json'), EVENTS.exec(governance)![1]!);
  await writeFile(
    join(dir, 'governance/retention.toml'),
    '[erasure.subjects.customer]\nid_type = "long"\nid_columns = ["customer_id"]\nidentifying = ["shop.orders.ship_to"]\n',
  );
});

afterAll(() => rm(dir, { recursive: true, force: true }));

test('docs/library.md shows the scripts that stand beside this test, where they are type-checked', () => {
  const shown = [...DOCUMENT.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  expect(shown).toEqual(Object.values(SCRIPTS).map((path) => readFileSync(path, 'utf8')));
});

test('its scripts make a table, are refused until somebody says where it comes from, and erase', async () => {
  expect(await run(SCRIPTS.rows)).toBe('BigInt64Array(2) [ 42n, 43n ]\n');
  expect(await run(SCRIPTS.erasure)).toContain('shop.orders: no job of the lineage writes it');

  await writeFile(
    join(dir, 'governance/lineage.toml'),
    '[sources]\n"shop.orders" = "the shop, says the shop team"\n[ignored]\n' +
      '"mylake shop.customers" = "elsewhere"\n"mylake shop.mailing" = "elsewhere"\n',
  );
  expect(await run(SCRIPTS.erasure)).toMatch(/^1 rows deleted, 0 files still hold them: [0-9a-f]{64}$/m);
});

async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', join(root, 'node_modules/tsx/dist/esm/index.mjs'), script],
    {
      cwd: dir,
      env: {
        ...process.env,
        LETHE_REGISTER_KEY: 'k'.repeat(32),
        TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
      },
    },
  );
  return stdout;
}
