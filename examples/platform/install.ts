import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the package where the last build is missing or older than a source. False where it does not compile. */
export function ensureBuilt(): boolean {
  if (isBuilt()) return true;
  process.stderr.write('Building the package …\n');
  const build = join(root, 'scripts', 'build.mjs');
  return spawnSync(process.execPath, [build], { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
}

/** Makes `lethe` importable and runnable in a folder, as an install would, by links into this repository. */
export function linkPackage(dir: string): void {
  const modules = join(dir, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(root, join(modules, 'lethe'), 'junction');
  symlinkSync(join(root, 'node_modules', 'apache-arrow'), join(modules, 'apache-arrow'), 'junction');
  if (process.platform !== 'win32') symlinkSync('../lethe/dist/cli/main.js', join(modules, '.bin', 'lethe'));
}

function isBuilt(): boolean {
  const built = join(root, 'dist', 'cli', 'main.js');
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs <= mtimeMs);
}
