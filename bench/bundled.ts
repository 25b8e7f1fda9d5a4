import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Whether a program's packages are in its file too, or found among the installed ones, a file of a package at a time. */
export type Packages = 'bundle' | 'external';

/** Native, or an optional peer. */
const NEVER_BUNDLED = ['@duckdb/node-api', '@aws-sdk/*', 'libsql', 'pg'];

/** A program under this folder (`lineage/contestant`) as one file, so that nothing is compiled while it is measured. */
export async function bundled(name: string, packages: Packages = 'external'): Promise<string> {
  const outfile = fileURLToPath(new URL(`../node_modules/.cache/bench/${name}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    packages,
    external: packages === 'bundle' ? NEVER_BUNDLED : [],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return outfile;
}
