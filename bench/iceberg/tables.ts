import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePlatform } from '../../examples/platform/index.ts';
import { bundled } from '../bundled.ts';
import { benchCache } from '../python.ts';

/** A table of the bench. Its metadata names files by their whole paths, so it is always put back in the same place. */
export interface BenchTable {
  /** Where contestants find it. */
  readonly folder: string;
  /** Puts it back as it was made, by hard links: Iceberg's files are never changed in place. */
  restore(): void;
}

/** Makes the tables once in the cache, each named by what makes it. */
export class BenchTables {
  readonly #python: string;
  readonly #home = join(benchCache(), 'tables');

  constructor(python: string) {
    this.#python = python;
  }

  /** 12 columns, 12 months, each a partition of one file, ids in no order. Written by PyIceberg. */
  events(rows: number): Promise<BenchTable> {
    return this.#made(`events-${rows}`, 'make.py', (folder) => this.#make(['events', folder, `${rows}`]));
  }

  /** The same rows in many data files. */
  files(rows: number, files: number): Promise<BenchTable> {
    return this.#made(`files-${files}-${rows}`, 'make.py', (folder) =>
      this.#make(['files', folder, `${rows}`, `${files}`]),
    );
  }

  /** Many commits, and files that nothing names. Written by Lethe: PyIceberg takes an hour for it. */
  history(snapshots: number, files: number): Promise<BenchTable> {
    return this.#made(`history-${snapshots}-${files}`, 'history.ts', async (folder) => {
      const program = await bundled('iceberg/history');
      execFileSync(process.execPath, [program, folder, `${snapshots}`, `${files}`], { stdio: 'inherit' });
    });
  }

  /** The example platform. */
  platform(): Promise<BenchTable> {
    return this.#made('platform', 'job.ts', async (folder) => {
      const platform = await makePlatform({ dir: folder });
      await platform.close();
    });
  }

  async #made(
    name: string,
    maker: string,
    make: (folder: string) => Promise<void> | void,
  ): Promise<BenchTable> {
    const digest = createHash('sha256')
      .update(readFileSync(new URL(maker, import.meta.url)))
      .digest('hex');
    const kept = join(this.#home, `${name}-${digest.slice(0, 12)}`);
    const folder = join(this.#home, 'at-work', name);
    if (!existsSync(join(kept, 'complete'))) {
      process.stderr.write(`making ${name}\n`);
      for (const left of [kept, folder]) rmSync(left, { recursive: true, force: true });
      mkdirSync(join(folder, '..'), { recursive: true });
      await make(folder);
      linkTree(folder, kept);
      writeFileSync(join(kept, 'complete'), '');
    }
    return {
      folder,
      restore: () => {
        rmSync(folder, { recursive: true, force: true });
        linkTree(kept, folder);
        rmSync(join(folder, 'complete'), { force: true });
      },
    };
  }

  #make(args: readonly string[]): void {
    const program = fileURLToPath(new URL('make.py', import.meta.url));
    execFileSync(this.#python, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

/** Links every file but those that are changed in place. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (/\.(?:parquet|avro|metadata\.json)$/.test(entry.name)) linkSync(source, target);
    else cpSync(source, target);
  }
}
