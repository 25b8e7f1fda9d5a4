// Builds dist from nothing, so that no file of an earlier build is published: the types by tsc, a file each; the code by esbuild, the
// entries of package.json and what they share. Each file takes Node a quarter of a millisecond to load, and there are six hundred.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

const { exports: entries, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const built = [...Object.values(entries).flatMap((entry) => entry.default ?? []), ...Object.values(bin)];
await build({
  absWorkingDir: root,
  entryPoints: [
    ...built
      .map((path) => path.replace(/^\.\/dist\/(.*)\.js$/, '$1'))
      .map((out) => ({ in: `src/${out}.ts`, out })),
    // Beside the shared parts: the scan starts it by its place.
    { in: 'src/scan/worker.ts', out: 'shared/worker' },
  ],
  outdir: 'dist',
  chunkNames: 'shared/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'error',
});
chmodSync(join(root, 'dist', 'cli', 'main.js'), 0o755);
