import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const requirements = new URL('./requirements.txt', import.meta.url);

/** The Python that has the peers: its environment is made once under `$LETHE_CACHE`, named by what is in it. */
export function pythonWithPeers(): string {
  const cache = process.env.LETHE_CACHE ?? join(homedir(), '.cache', 'lethe');
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(cache, `graphs-${digest}`);
  const python = join(home, 'bin', 'python');
  if (existsSync(join(home, 'complete'))) return python;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  run('python3', ['-m', 'venv', home]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
  run(python, [...pip, '-r', requirements.pathname]);
  writeFileSync(join(home, 'complete'), '');
  return python;
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}
