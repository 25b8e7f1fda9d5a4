import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './install.ts';
import { javaHome } from './java.ts';
import { mavenArtifacts } from './maven.ts';
import { freePort, startProcess } from './process.ts';
import type { RunFolder, Started } from './service.ts';

/** A Trino of this run; it has no catalog until a test creates one. */
export interface TrinoServer {
  readonly uri: string;
}

const VERSION = '476';

/** Trino 476 with its Iceberg connector, coordinator and worker in one process. */
export async function startTrino({ data, logs }: RunFolder): Promise<Started<TrinoServer>> {
  const java = javaHome(25);
  const home = await trinoHome();
  const port = await freePort();
  const uri = `http://127.0.0.1:${port}`;
  const folder = join(data, 'trino');
  const etc = join(folder, 'etc');
  await mkdir(etc, { recursive: true });
  const properties = (values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([key, value]) => `${key}=${value}\n`)
      .join('');
  await writeFile(
    join(etc, 'node.properties'),
    properties({
      'node.environment': 'interop',
      'node.id': 'interop',
      'node.data-dir': folder,
      'node.bind-ip': '127.0.0.1',
      'node.internal-address': '127.0.0.1',
      'plugin.dir': join(home, 'plugin'),
    }),
  );
  await writeFile(
    join(etc, 'config.properties'),
    properties({
      coordinator: 'true',
      'node-scheduler.include-coordinator': 'true',
      'http-server.http.port': String(port),
      'discovery.uri': uri,
      'catalog.management': 'dynamic',
      'catalog.store': 'memory',
      'query.max-memory': '300MB',
      'query.max-memory-per-node': '300MB',
    }),
  );
  // Its start alone prints a page of every setting otherwise.
  await writeFile(join(etc, 'log.properties'), '=WARN\n');
  // Queries of eight rows: what the second compiler makes is never used often enough to pay.
  const options = ['-server', '-Xmx1G', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  await writeFile(
    join(etc, 'jvm.config'),
    `${[...options, '-XX:+ExitOnOutOfMemoryError', '-Djdk.attach.allowAttachSelf=true'].join('\n')}\n`,
  );
  const running = await startProcess({
    name: 'trino',
    command: join(home, 'server', 'bin', 'launcher'),
    args: ['run', '--etc-dir', etc, '--data-dir', folder],
    env: { JAVA_HOME: java, PATH: `${join(java, 'bin')}:${process.env.PATH ?? ''}` },
    logs,
    ready: async () => {
      const info = await fetch(`${uri}/v1/info`, { signal: AbortSignal.timeout(2000) });
      return ((await info.json()) as { starting: boolean }).starting === false;
    },
    startMs: 180_000,
  });
  return { ...running, details: { uri } };
}

async function trinoHome(): Promise<string> {
  const [server, iceberg] = [`trino-server-core-${VERSION}`, `trino-iceberg-${VERSION}`];
  return mavenArtifacts({
    name: 'trino',
    artifacts: [
      { id: `io.trino:trino-server-core:${VERSION}`, type: 'tar.gz' },
      { id: `io.trino:trino-iceberg:${VERSION}`, type: 'zip' },
    ],
    unpack: async (folder) => {
      await mkdir(join(folder, 'plugin'));
      await run('tar', ['-xzf', `${server}.tar.gz`], { cwd: folder });
      await run('python3', ['-m', 'zipfile', '-e', `${iceberg}.zip`, 'plugin'], { cwd: folder });
      await rename(join(folder, server), join(folder, 'server'));
      await rename(join(folder, 'plugin', iceberg), join(folder, 'plugin', 'iceberg'));
      for (const archive of [`${server}.tar.gz`, `${iceberg}.zip`]) await rm(join(folder, archive));
    },
  });
}
