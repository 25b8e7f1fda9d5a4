import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { localStorage } from '../../../src/storage/index.ts';
import type { Catalog } from '../../../src/warehouse/catalog.ts';
import type { SqlCatalogSetting } from '../../../src/warehouse/catalogs/settings.ts';
import { openSqlCatalog } from '../../../src/warehouse/catalogs/sql/open.ts';
import { HandedOut } from '../../../src/warehouse/catalogs/vended.ts';
import { seededRandom } from '../../support/lake.ts';

export const clock = { now: () => 1_700_000_000_000 };

/** A new folder with a catalog database in it. */
export interface SqliteFolder {
  readonly path: string;
  readonly file: string;
  open(setting?: Partial<SqlCatalogSetting>): Promise<Catalog>;
  close(): Promise<void>;
}

let seeds = 100;

export async function sqliteFolder(): Promise<SqliteFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'lethe-sql-')));
  const file = join(path, 'catalog.db');
  const opened: Catalog[] = [];
  return {
    path,
    file,
    open: async (setting = {}) => {
      seeds += 1;
      const random = seededRandom(seeds);
      const catalog = await openSqlCatalog(
        { kind: 'sql', url: `sqlite:${file}`, warehouse: join(path, 'wh'), create: true, ...setting },
        {
          storage: localStorage({ roots: [path] }),
          clock,
          random,
          patience: { sleep: (ms) => setTimeout(ms), random },
          handedOut: new HandedOut(clock),
        },
      );
      opened.push(catalog);
      return catalog;
    },
    close: async () => {
      for (const catalog of opened) await catalog.close?.();
      await rm(path, { recursive: true, force: true });
    },
  };
}
