// Commits a second of two writers, each a process of its own, to one table of each catalog, and how many tries lost, beside PyIceberg.
// Commits change a property only, so that nothing but the catalog is measured.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CatalogSetting, openIceberg } from 'lethe';
import { system } from 'lethe/system';
import { startMoto } from '../test/interop/services/moto.ts';
import { startPostgres } from '../test/interop/services/postgres.ts';
import { pythonEnvironment } from '../test/interop/services/python.ts';
import { startRestCatalog } from '../test/interop/services/rest-catalog.ts';
import type { Need } from '../test/interop/services/service.ts';
import { type Bench, type Figure, figure } from './bench.ts';
import { race } from './catalogs/race.ts';

const COMMITS = 100;

interface Contest {
  readonly name: string;
  readonly setting: CatalogSetting;
  /** The same catalog for PyIceberg; null where it has none of that kind. */
  readonly pyiceberg: Readonly<Record<string, string>> | null;
}

export const bench: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lethe-bench-catalogs-'));
  // Postgres runs as another user, who has to pass through.
  await chmod(folder, 0o711);
  const logs = join(folder, 'logs');
  await mkdir(logs);
  const run = { data: folder, logs };
  const moto = await startMoto(run);
  const postgres = await startPostgres(run);
  const rest = await startRestCatalog(run, (async () => moto.details) as Need);
  const python = join(await pythonEnvironment('pyiceberg'), 'bin', 'python');
  const { user, password, host, port, database } = postgres.details;
  const warehouse = join(folder, 'wh');
  const contests: readonly Contest[] = [
    { name: 'directory', setting: { kind: 'directory', path: join(folder, 'directory') }, pyiceberg: null },
    {
      name: 'SQLite',
      setting: {
        kind: 'sql',
        url: `sqlite:${folder}/c.db`,
        name: 'lake',
        warehouse: `${warehouse}/s`,
        create: true,
      },
      pyiceberg: { type: 'sql', uri: `sqlite:///${folder}/c.db` },
    },
    {
      name: 'Postgres',
      setting: {
        kind: 'sql',
        url: `postgresql://${user}@${host}:${port}/${database}`,
        password,
        name: 'lake',
        warehouse: `${warehouse}/p`,
        create: true,
      },
      pyiceberg: {
        type: 'sql',
        uri: `postgresql+psycopg2://${user}:${password}@${host}:${port}/${database}`,
      },
    },
    {
      name: 'REST (the server of Iceberg, over SQLite)',
      setting: { kind: 'rest', uri: rest.details.uri },
      pyiceberg: { type: 'rest', uri: rest.details.uri },
    },
  ];
  try {
    const figures: Figure[] = [];
    for (const contest of contests) figures.push(...(await measured(contest, python)));
    return figures;
  } finally {
    await Promise.all([rest.stop(), postgres.stop(), moto.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
};

async function measured({ name, setting, pyiceberg }: Contest, python: string): Promise<readonly Figure[]> {
  const lake = await openIceberg({ catalog: setting, ...system });
  await lake.create('crm.t', { columns: [{ name: 'id', type: 'long' }] });
  const writer = fileURLToPath(new URL('catalogs/writer.ts', import.meta.url));
  const lethe = await race(
    (who) => [process.execPath, '--import', 'tsx', writer, JSON.stringify(setting), who, String(COMMITS)],
    COMMITS,
  );
  // The same table again, with as short a history as the first contestant found.
  await lake.drop('crm.t', { purge: true });
  await lake.create('crm.t', { columns: [{ name: 'id', type: 'long' }] });
  await lake.close();
  const script = fileURLToPath(new URL('catalogs/writer.py', import.meta.url));
  const peer =
    pyiceberg === null
      ? lethe
      : await race((who) => [python, script, JSON.stringify(pyiceberg), who, String(COMMITS)], COMMITS);
  const peerName = pyiceberg === null ? 'Lethe itself (PyIceberg has no such catalog)' : 'PyIceberg';
  return [
    figure({
      what: `${name}: commits of two writers`,
      unit: 'commits/s',
      lethe: lethe.commitsPerSecond,
      peer: peer.commitsPerSecond,
      peerName,
      bound: null,
    }),
    {
      what: `${name}: tries that lost, of ${2 * COMMITS} commits`,
      unit: 'tries',
      lethe: lethe.retries,
      peer: peer.retries,
      peerName,
      ratio: Math.round((lethe.retries / Math.max(1, peer.retries)) * 100) / 100,
      bound: null,
    },
  ];
}
