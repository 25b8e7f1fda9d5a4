import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Makes `lethe` importable and runnable in a folder, as an install would, by links into this repository. */
export function installPackage(dir: string): void {
  if (!isBuilt()) {
    process.stderr.write('Building the package …\n');
    execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
  const modules = join(dir, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(root, join(modules, 'lethe'), 'junction');
  symlinkSync(join(root, 'node_modules', 'apache-arrow'), join(modules, 'apache-arrow'), 'junction');
  if (process.platform !== 'win32') symlinkSync('../lethe/dist/cli/main.js', join(modules, '.bin', 'lethe'));
}

/** Whether the last build is newer than every source. */
function isBuilt(): boolean {
  const built = join(root, 'dist', 'cli', 'main.js');
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs <= mtimeMs);
}
