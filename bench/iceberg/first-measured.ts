import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchCache } from '../python.ts';

const HOME = fileURLToPath(new URL('../../../shared/recipes/peers', import.meta.url));

/** How a program is started. */
export interface Start {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The program that PyIceberg's figures were first taken with, for the whole job on its own tables, which it makes here once and restores
 * before each run, 0.01 s of it. Undefined where it is not there.
 */
export function firstMeasured(python: string): Start | undefined {
  if (!existsSync(HOME)) {
    process.stderr.write(`${HOME} is not here: the program that was measured first is left out\n`);
    return;
  }
  const root = join(benchCache(), 'peers');
  // Its own folder is not written to.
  const env = { ...process.env, PEER_ROOT: root, PYTHONDONTWRITEBYTECODE: '1' };
  if (!existsSync(join(root, 'pristine', 'platform'))) {
    mkdirSync(root, { recursive: true });
    execFileSync(python, [join(HOME, 'make_tables.py'), 'platform'], { env, stdio: 'ignore' });
  }
  const whole = fileURLToPath(new URL('whole.py', import.meta.url));
  return { args: [whole, python, join(HOME, 'erase_pyiceberg.py'), 'platform'], env };
}
