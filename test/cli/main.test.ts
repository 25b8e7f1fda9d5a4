import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

const lethe = (...args: string[]) =>
  spawnSync(
    process.execPath,
    ['--import', join(root, 'node_modules/tsx/dist/esm/index.mjs'), join(root, 'src/cli/main.ts'), ...args],
    {
      cwd: tmpdir(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );

describe('the lethe command', () => {
  test('prints its version', () => {
    expect(lethe('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('without a configuration says where it looked, as text and as a document', () => {
    const text = lethe('tables');
    expect(text).toMatchObject({ status: 2, stdout: '' });
    expect(text.stderr).toContain('No lethe.toml was found from');
    const json = lethe('tables', '--json');
    expect(json.status).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ schemaVersion: 1, error: { code: 'cli/no-config' } });
  });
});
