import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A program under this folder (`lineage/contestant`) as one file, so that nothing is compiled while it is measured. */
export async function bundled(name: string): Promise<string> {
  const outfile = fileURLToPath(new URL(`../node_modules/.cache/bench/${name}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return outfile;
}
