import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { governanceFolder, makePlatform } from '../../examples/platform/index.ts';
import { system } from '../../src/cli/system.ts';
import { openIceberg, openRegister } from '../../src/index.ts';
import { root } from '../architecture/sources.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const pipeline = fileURLToPath(new URL('pipeline.ts', import.meta.url));

describe('the README', () => {
  test('shows the pipeline that stands beside this test, where it is type-checked and run', () => {
    const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect(code).toBe(readFileSync(pipeline, 'utf8'));
    const lines = code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
    expect(lines.length).toBeLessThanOrEqual(16);
  });

  test('its pipeline keeps an erased learner out of the nightly load', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'lethe-readme-'));
    const key = `hex:${'5f'.repeat(32)}`;
    const path = join(dir, 'warehouse');
    await (await makePlatform({ dir })).close();
    await cp(governanceFolder, join(dir, 'governance'), { recursive: true });
    const register = await openRegister({
      path: join(dir, 'register.ndjson'),
      keys: { 2026: key },
      current: '2026',
    });
    const warehouse = await openIceberg({ catalog: { kind: 'directory', path }, ...system });
    const learner = {
      kind: 'compare',
      column: 'learner_id',
      op: '=',
      value: { type: 'long', value: '3590' },
    } as const;
    for (const table of await warehouse.list()) {
      const { columns } = await warehouse.describe(table);
      if (columns.some(({ name }) => name === 'learner_id'))
        await warehouse.change(table, { delete: learner }, {});
    }
    const entry = { request: 'erasure-0001', subject: 'learner', id: ['3590'], day: '2026-10-01' } as const;
    await register.add([{ ...entry, state: 'open' }]);

    await promisify(execFile)(
      process.execPath,
      ['--import', join(root, 'node_modules/tsx/dist/esm/index.mjs'), pipeline],
      {
        cwd: dir,
        env: { ...process.env, LETHE_REGISTER_KEY: key, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
      },
    );
    expect(await warehouse.count('crm.learners')).toBe(4999);
    expect(await warehouse.count('crm.learners', learner)).toBe(0);
    await warehouse.close();
    await rm(dir, { recursive: true, force: true });
  });

  test('names only scripts that the package has', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((name) => !Object.hasOwn(scripts, name!))).toEqual([]);
  });
});
