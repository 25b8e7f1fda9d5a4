// Bundles the script of the plan's page into src/erasure/plan/render/page/script.ts, which is committed, so that neither the
// build nor a user of the package needs a bundler. A test says when it is older than its sources. `npm run build:page`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const page = fileURLToPath(new URL('../src/erasure/plan/render/page/', import.meta.url));

/** The text of script.ts. */
export async function pageScript() {
  const { outputFiles } = await build({
    entryPoints: [join(page, 'browser', 'main.ts')],
    bundle: true,
    write: false,
    minify: true,
    charset: 'ascii',
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
  });
  // Nothing in the script may end the element that it stands in.
  const script = outputFiles[0].text.trim().replaceAll('</', '<\\/');
  return [
    '// Made by `npm run build:page` from browser/. Do not edit.',
    '/** The script of the plan’s page. */',
    `export const SCRIPT: string = ${JSON.stringify(script)};`,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(page, 'script.ts'), await pageScript());
