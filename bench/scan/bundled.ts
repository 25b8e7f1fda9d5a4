import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The program that scans, and beside it the thread that it starts: two files, so that nothing is compiled while they are measured. */
export async function bundledContestant(): Promise<string> {
  const outdir = fileURLToPath(new URL('../../node_modules/.cache/bench/scan', import.meta.url));
  await build({
    entryPoints: {
      contestant: fileURLToPath(new URL('contestant.ts', import.meta.url)),
      worker: fileURLToPath(new URL('../../src/scan/worker.ts', import.meta.url)),
    },
    outdir,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.js' },
    logLevel: 'error',
  });
  return `${outdir}/contestant.js`;
}
