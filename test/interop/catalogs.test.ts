import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localStorage } from '../../src/storage/index.ts';
import type { Catalog } from '../../src/warehouse/catalog.ts';
import { openCatalog } from '../../src/warehouse/catalogs/open.ts';
import type { CatalogSetting } from '../../src/warehouse/catalogs/settings.ts';
import { openPostgres } from '../../src/warehouse/catalogs/sql/postgres.ts';
import { CatalogRows } from '../../src/warehouse/catalogs/sql/rows.ts';
import { HandedOut } from '../../src/warehouse/catalogs/vended.ts';
import { catalogContract } from '../contracts/catalog.ts';
import { seededRandom } from '../support/lake.ts';
import { raceOn } from '../support/race.ts';
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
function postgresSetting(): CatalogSetting {
  names += 1;
  return {
    kind: 'sql',
    url: urlOf(postgres),
    password: postgres.password,
    name: `contract-${names}`,
    warehouse: join(folder, `postgres-${names}`),
    create: true,
  };
}

function urlOf({ user, host, port, database }: PostgresServer): string {
  return `postgresql://${user}@${host}:${port}/${database}`;
}

catalogContract('Postgres', async () => {
  const setting = postgresSetting();
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

test('E6: two processes lose nothing on Postgres', () => raceOn(postgresSetting()));

test('E6: two processes lose nothing on the REST server of Iceberg', async () => {
  await raceOn({ kind: 'rest', uri: rest.details.uri });
});

test('a connection to Postgres that is killed in the middle of a commit is made again, and the commit once', async () => {
  const admin = new pg.Client({ connectionString: urlOf(postgres), password: postgres.password });
  await admin.connect();
  const database = await openPostgres({ url: new URL(urlOf(postgres)), password: postgres.password });
  const random = seededRandom(77);
  const patience = { sleep: (ms: number) => setTimeout(ms), random };
  const rows = new CatalogRows({ database, catalog: 'killed', create: true, patience });
  const identifier = { namespace: 'crm', name: 't' };
  await rows.insert(identifier, 'v0');
  await admin.query('BEGIN');
  await admin.query(`SELECT 1 FROM iceberg_tables WHERE catalog_name = 'killed' FOR UPDATE`);
  const moving = rows.move({ identifier, from: 'v0', to: 'v1' });
  const waiting = `SELECT pid FROM pg_stat_activity WHERE application_name = 'lethe' AND wait_event_type = 'Lock'`;
  for (let pids = 0; pids === 0; await setTimeout(20)) pids = (await admin.query(waiting)).rowCount ?? 0;
  await admin.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS held`);
  await admin.query('COMMIT');
  expect(await moving).toBe('moved');
  expect((await rows.find('crm.t'))?.metadataFile).toBe('v1');
  await database.close();
  await admin.end();
});

test('a password that Postgres does not take, and a database that is not there, are typed errors', async () => {
  const url = new URL(urlOf(postgres));
  url.pathname = '/nowhere';
  const database = await openPostgres({ url, password: 's3cret' });
  const fault = await database.columns('iceberg_tables').catch((error: unknown) => error);
  expect(fault).toMatchObject({ kind: 'input', code: 'catalog/no-database' });
  expect(`${String(fault)} ${JSON.stringify(fault)}`).not.toContain('s3cret');
});
