import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { governanceFolder } from './index.ts';
import { pipelines } from './pipelines/index.ts';

const sources = fileURLToPath(new URL('pipelines', import.meta.url));

/** Puts beside the tables what the command needs: governance files, pipelines that plain node runs, and `lethe.toml`. */
export function writeWorkspace(dir: string): void {
  cpSync(governanceFolder, join(dir, 'governance'), { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(dir, 'lethe.toml'), configuration());
  writePipelines(join(dir, 'pipelines'));
}

function writePipelines(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(sources)) {
    const { outputText } = ts.transpileModule(readFileSync(join(sources, name), 'utf8'), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    // A file of types only leaves nothing to import.
    if (outputText.trim() !== 'export {};')
      writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), outputText);
  }
}

function configuration(): string {
  const jobs = Object.entries(pipelines).map(
    ([name, { job, table }]) => `
[jobs."${job}"]
makes = ["${table}"]
replaces = "all"
run = ["node", "pipelines/run.js", "${name}"]
`,
  );
  return `# The learning platform. Paths are relative to this file; secrets are named, never written here.

governance = "governance"
lineage = ["lineage"]

[warehouse]
format = "iceberg"
engine = "embedded"
catalog = { kind = "directory", path = "warehouse" }

[register]
path = "register.ndjson"
key_env = "LETHE_REGISTER_KEY"

[job]
state = ".lethe"

[evidence]
path = "evidence"
${jobs.join('')}`;
}
