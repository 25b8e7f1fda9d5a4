import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from './process.ts';
import { pythonEnvironment } from './python.ts';
import type { RunFolder, Started } from './service.ts';
import { answersOn } from './socket.ts';

/** PyIceberg in a process of its own; `engines/pyiceberg.ts` talks to it. */
export interface PyIcebergServer {
  readonly socket: string;
}

/** PyIceberg 0.12.0. */
export async function startPyIceberg({ data, logs }: RunFolder): Promise<Started<PyIcebergServer>> {
  const environment = await pythonEnvironment('pyiceberg');
  const folder = join(data, 'pyiceberg');
  await mkdir(folder);
  const socket = join(folder, 'driver.sock');
  const running = await startProcess({
    name: 'pyiceberg',
    command: join(environment, 'bin', 'python'),
    args: [fileURLToPath(new URL('python/pyiceberg_driver.py', import.meta.url)), socket],
    env: { TZ: 'UTC', PYTHONDONTWRITEBYTECODE: '1' },
    cwd: folder,
    logs,
    ready: () => answersOn(socket),
  });
  return { ...running, details: { socket } };
}
