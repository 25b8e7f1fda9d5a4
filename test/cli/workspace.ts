import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePlatform, type PlatformOptions } from '../../examples/platform/index.ts';
import { writeWorkspace } from '../../examples/platform/workspace.ts';
import { run } from '../../src/cli/run.ts';
import { parseJson } from '../../src/values/json.ts';
import { type WorldOptions, world } from './world.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What one run of the command left. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with a platform and its `lethe.toml`, on which commands run in this process. */
export interface Workspace {
  readonly dir: string;
  lethe(command: string, options?: WorldOptions): Promise<Ran>;
  /** Runs with `--json` and reads the document, which has to be all of standard output. */
  json(
    command: string,
    options?: WorldOptions,
  ): Promise<{ readonly exit: number; readonly document: Document }>;
  /** Replaces text in a file of the folder. */
  edit(file: string, change: (text: string) => string): Promise<void>;
  remove(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a document is read as its users read it, and compared field by field
export type Document = any;

const KEY = { LETHE_REGISTER_KEY: `hex:${'5f'.repeat(32)}` };

export async function platformWorkspace(options: Omit<PlatformOptions, 'dir'> = {}): Promise<Workspace> {
  const dir = await mkdtemp(join(tmpdir(), 'lethe-cli-'));
  const platform = await makePlatform({ dir, ...options });
  await platform.close();
  writeWorkspace(dir);
  // The pipelines import what a user has installed; here that is this repository, by its sources.
  await mkdir(join(dir, 'node_modules'));
  await symlink(join(repository, 'node_modules', 'apache-arrow'), join(dir, 'node_modules', 'apache-arrow'));
  const workspace = workspaceIn(dir);
  const tsx = join(repository, 'node_modules', 'tsx', 'dist', 'esm', 'index.mjs');
  await workspace.edit('lethe.toml', (text) =>
    text.replaceAll(
      'run = ["node", ',
      `run = [${JSON.stringify(process.execPath)}, "--import", ${JSON.stringify(tsx)}, `,
    ),
  );
  return workspace;
}

/** A workspace in a folder that a test filled itself. */
export function workspaceIn(dir: string): Workspace {
  const env = { ...KEY, PATH: process.env.PATH, TSX_TSCONFIG_PATH: join(repository, 'tsconfig.json') };
  const lethe: Workspace['lethe'] = async (command, options = {}) => {
    const { io, out, err } = world({ cwd: dir, ...options, env: { ...env, ...options.env } });
    const exit = await run(command.split(' '), io);
    return { exit, out: out(), err: err() };
  };
  return {
    dir,
    lethe,
    json: async (command, options) => {
      const { exit, out } = await lethe(`${command} --json`, options);
      return { exit, document: parseJson(out) };
    },
    edit: async (file, change) => {
      const path = join(dir, file);
      await writeFile(path, change(await readFile(path, 'utf8')));
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
