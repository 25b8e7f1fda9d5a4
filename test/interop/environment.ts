import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { chromium } from './chromium.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The Python that has PyIceberg. */
    python: string;
    /** The browser that opens the plan's page. */
    chromium: string;
  }
}

const requirements = new URL('./requirements.txt', import.meta.url);

/**
 * Makes the Python environment once under `$LETHE_CACHE`, named by what is in it, finds or installs Chromium, and tells the
 * tests where both are.
 */
export default function setup(project: TestProject): void {
  project.provide('python', pythonWithPyIceberg());
  project.provide('chromium', chromium());
}

function pythonWithPyIceberg(): string {
  const cache = process.env.LETHE_CACHE ?? join(homedir(), '.cache', 'lethe');
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(cache, `pyiceberg-${digest}`);
  const python = join(home, 'bin', 'python');
  const complete = join(home, 'complete');
  if (existsSync(complete)) return python;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  run('python3', ['-m', 'venv', home]);
  run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '-r',
    requirements.pathname,
  ]);
  run(python, ['-m', 'pip', 'check', '--disable-pip-version-check']);
  writeFileSync(complete, '');
  return python;
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}
