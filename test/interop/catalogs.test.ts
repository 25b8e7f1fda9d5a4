import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { localStorage } from '../../src/storage/index.ts';
import type { Catalog } from '../../src/warehouse/catalog.ts';
import { openCatalog } from '../../src/warehouse/catalogs/open.ts';
import type { CatalogSetting } from '../../src/warehouse/catalogs/settings.ts';
import { HandedOut } from '../../src/warehouse/catalogs/vended.ts';
import { catalogContract } from '../contracts/catalog.ts';
import { seededRandom } from '../support/lake.ts';
import { service } from './services/index.ts';
import type { PostgresServer } from './services/postgres.ts';
import { type RestCatalog, startRestCatalog } from './services/rest-catalog.ts';
import type { Started } from './services/service.ts';

const INSTALL_MS = 600_000;
const clock = { now: () => 1_700_000_000_000 };
let folder: string;
let seeds = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lethe-catalogs-'));
  await mkdir(join(folder, 'logs'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function open(setting: CatalogSetting): Promise<Catalog> {
  seeds += 1;
  const random = seededRandom(seeds * 31);
  const patience = { sleep: (ms: number) => setTimeout(ms), random };
  const storage = localStorage({ roots: [folder] });
  return openCatalog(setting, { storage, clock, random, patience, handedOut: new HandedOut(clock) });
}

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await service('postgres');
}, INSTALL_MS);

let names = 0;
catalogContract('Postgres', async () => {
  names += 1;
  const { user, host, port, database, password } = postgres;
  const setting = {
    kind: 'sql',
    url: `postgresql://${user}@${host}:${port}/${database}`,
    password,
    name: `contract-${names}`,
    warehouse: join(folder, `postgres-${names}`),
    create: true,
  } as const;
  const opened: Catalog[] = [];
  const another = async (): Promise<Catalog> => {
    const catalog = await open(setting);
    opened.push(catalog);
    return catalog;
  };
  return {
    catalog: await another(),
    another,
    close: async () => {
      for (const catalog of opened) await catalog.close?.();
    },
  };
});

let rest: Started<RestCatalog>;
beforeAll(async () => {
  // One of its own: the contract begins with an empty catalog.
  rest = await startRestCatalog({ data: folder, logs: join(folder, 'logs') }, service);
}, INSTALL_MS);
afterAll(() => rest?.stop());

catalogContract('the REST server of Iceberg', async () => {
  const another = (): Promise<Catalog> => open({ kind: 'rest', uri: rest.details.uri });
  const catalog = await another();
  for (const { table } of await catalog.list()) await catalog.drop(table);
  return { catalog, another, close: async () => {} };
});
