import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where benches keep what they make once: Python environments and large tables. */
export function benchCache(): string {
  return process.env.LETHE_CACHE ?? join(homedir(), '.cache', 'lethe');
}

/** The Python that has the peers of a bench: its environment is made once in the cache, named by what is in it. */
export function pythonWith(name: string, requirements: URL): string {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(benchCache(), `${name}-${digest}`);
  const python = join(home, 'bin', 'python');
  if (existsSync(join(home, 'complete'))) return python;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(benchCache(), { recursive: true });
  run('python3', ['-m', 'venv', home]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
  run(python, [...pip, '-r', fileURLToPath(requirements)]);
  writeFileSync(join(home, 'complete'), '');
  return python;
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}
