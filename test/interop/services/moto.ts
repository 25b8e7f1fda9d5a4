import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answers, freePort, startProcess } from './process.ts';
import { pythonEnvironment } from './python.ts';
import type { RunFolder, Started } from './service.ts';

/** An S3 server; any credentials are taken. */
export interface S3Server {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** A versioned bucket for tables. */
  readonly bucket: string;
  /** Another, without versions. */
  readonly plainBucket: string;
}

/** moto: an S3 that lists versions, keeps locks and honours conditional writes. POST /moto-api/reset empties it. */
export async function startMoto({ logs }: RunFolder): Promise<Started<S3Server>> {
  const environment = await pythonEnvironment('moto');
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    name: 's3',
    command: join(environment, 'bin', 'python'),
    args: [fileURLToPath(new URL('python/s3_server.py', import.meta.url)), '127.0.0.1', String(port)],
    env: { PYTHONDONTWRITEBYTECODE: '1' },
    logs,
    ready: () => answers(`${endpoint}/moto-api/`),
  });
  const [bucket, plainBucket] = ['lake', 'pond'];
  for (const name of [bucket, plainBucket]) await put(`${endpoint}/${name}`);
  await put(
    `${endpoint}/${bucket}?versioning`,
    '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
  );
  const keys = { accessKeyId: 'lethe', secretAccessKey: 'not-a-secret' };
  return { ...running, details: { endpoint, region: 'us-east-1', ...keys, bucket, plainBucket } };
}

/** moto asks nobody for a signature. */
async function put(url: string, body = ''): Promise<void> {
  const { ok, status } = await fetch(url, { method: 'PUT', body });
  if (!ok) throw new Error(`The S3 server answered ${status} to PUT ${url}`);
}
