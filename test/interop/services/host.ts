import { readdirSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMoto } from './moto.ts';
import { startPostgres } from './postgres.ts';
import { startPyIceberg } from './pyiceberg.ts';
import { startQuietRestCatalog, startRestCatalog, startRestCatalogOnS3 } from './rest-catalog.ts';
import type { Need, RunFolder, Services, Started } from './service.ts';
import { startSpark } from './spark.ts';
import { startTrino } from './trino.ts';

/** Starts what the tests of one run ask for, once, and stops all of it. */
export interface ServiceHost {
  /** The socket on which tests ask. */
  readonly socket: string;
  /** A folder of this run in which services and tests put tables. */
  readonly data: string;
  /** Stops what was started and removes the folder of the run; prints the end of every log where tests failed. */
  readonly close: (options: { readonly failed: boolean }) => Promise<void>;
}

type Starters = {
  readonly [Name in keyof Services]: (folder: RunFolder, need: Need) => Promise<Started<Services[Name]>>;
};

const STARTERS: Starters = {
  s3: startMoto,
  postgres: startPostgres,
  restCatalog: startRestCatalog,
  restCatalogOnS3: startRestCatalogOnS3,
  quietRestCatalog: startQuietRestCatalog,
  pyiceberg: startPyIceberg,
  spark: startSpark,
  trino: startTrino,
};

const PREFIX = 'lethe-interop-';

/** Opens the host of one run: nothing is started until a test asks. */
export async function openServiceHost(): Promise<ServiceHost> {
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  removeAbandoned();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  // A service that runs as another user has to pass through, not to look.
  await chmod(folder, 0o711);
  const run = { data: join(folder, 'data'), logs: join(folder, 'logs') };
  await mkdir(run.data);
  await mkdir(run.logs, { mode: 0o700 });

  const started = new Map<keyof Services, Promise<Started<unknown>>>();
  const need = async <Name extends keyof Services>(name: Name): Promise<Services[Name]> => {
    const service = started.get(name) ?? STARTERS[name](run, need);
    started.set(name, service);
    return (await service).details as Services[Name];
  };
  const socket = join(folder, 'services.sock');
  const server = await answerOn(socket, async (name) => {
    if (!Object.hasOwn(STARTERS, name)) throw new Error(`There is no service ${name}`);
    return need(name as keyof Services);
  });
  const close = async ({ failed }: { readonly failed: boolean }): Promise<void> => {
    server.close();
    for (const [name, service] of started)
      if (failed) console.error(`The end of the log of ${name}:\n${await logOf(service)}`);
    await Promise.all(
      [...started.values()].map(async (service) => (await service.catch(() => null))?.stop()),
    );
    remove();
  };
  return { socket, data: run.data, close };
}

/** Removes the folders of runs that were killed before they could. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0] : Number.NaN);
    if (pid > 0 && !alive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function logOf(service: Promise<Started<unknown>>): Promise<string> {
  return service.then(
    ({ log }) => log(),
    (error: unknown) => String(error),
  );
}

/** Answers `GET /NAME` with what a function gives, as JSON; what it throws is told with status 500. */
async function answerOn(socket: string, answer: (name: string) => Promise<unknown>): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request.url?.slice(1) ?? '').then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => {
        response.statusCode = 500;
        response.end(error instanceof Error ? error.message : String(error));
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  return server;
}
