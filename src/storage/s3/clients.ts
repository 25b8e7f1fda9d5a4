import { hostname } from 'node:os';
import { pid } from 'node:process';
import { threadId } from 'node:worker_threads';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { Random } from '../../values/time.ts';
import { isExpired, type S3Request, s3Error } from './errors.ts';
import type { S3Access, S3StorageOptions } from './options.ts';
import { s3Location } from './place.ts';
import { loadSdk, providerOf, type Sdk } from './sdk.ts';

/** What sends requests to S3. Whatever fails leaves it as a typed error. */
export interface S3Sender {
  /** How often the rest of a broken download is asked for. */
  readonly attempts: number;
  /** Buckets that are known to be there. */
  readonly buckets: Set<string>;
  /** A text that nobody has used before. */
  token(): string;
  send<T>(request: S3Request, use: (client: S3Client, sdk: Sdk) => Promise<T>): Promise<T>;
  close(): void;
}

const MOST_CLIENTS = 16;

/** Makes a client for each access that is given or handed out, and keeps it. */
export function s3Sender(options: S3StorageOptions): S3Sender {
  const { accessOf, attempts = 5, timeoutMs = 30_000 } = options;
  const clients = new Map<string, S3Client>();
  const clientFor = (sdk: Sdk, access: S3Access): S3Client => {
    const key = access === options ? '' : accessKey(access);
    const client = clients.get(key) ?? new sdk.S3Client(configOf(access, { attempts, timeoutMs }));
    clients.set(key, client);
    const [oldest] = clients.keys();
    if (clients.size > MOST_CLIENTS && oldest !== undefined) {
      clients.get(oldest)?.destroy();
      clients.delete(oldest);
    }
    return client;
  };
  return {
    attempts,
    buckets: new Set(),
    token: () => tokenOf(options.random),
    send: async (request, use) => {
      const location = s3Location(request.place);
      for (const renew of [false, true]) {
        const access = (await accessOf?.(location, { renew })) ?? options;
        const sdk = await loadSdk();
        try {
          return await use(clientFor(sdk, access), sdk);
        } catch (error) {
          if (renew || !isExpired(error) || !canRenew(access, options)) throw s3Error(request, error);
          // The SDK keeps what a source gave until it expires; a client of its own asks again.
          clients.clear();
        }
      }
      throw new TypeError('unreachable');
    },
    close: () => {
      for (const client of clients.values()) client.destroy();
      clients.clear();
    },
  };
}

function canRenew(access: S3Access, options: S3StorageOptions): boolean {
  return access !== options || typeof access.credentials === 'function';
}

function accessKey({ region, endpoint, pathStyle, credentials }: S3Access): string {
  const who = typeof credentials === 'object' ? [credentials.accessKeyId, credentials.sessionToken] : [];
  return JSON.stringify([region, endpoint, pathStyle, ...who]);
}

function configOf(
  { region, endpoint, pathStyle = false, credentials }: S3Access,
  { attempts, timeoutMs }: { readonly attempts: number; readonly timeoutMs: number },
): S3ClientConfig {
  const known = region ?? (endpoint === undefined ? undefined : 'us-east-1');
  return {
    ...(known === undefined ? {} : { region: known }),
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: pathStyle,
    ...(credentials === undefined ? {} : { credentials: providerOf(credentials) }),
    maxAttempts: attempts,
    // Most other servers that speak S3 know no checksums of downloads; lengths and ETags are checked here.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(timeoutMs, 10_000),
      socketTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
  };
}

let tokens = 0;

/** Numbers that programs choose can repeat, so the process and what it has written so far stand beside them. */
function tokenOf(random: Random): string {
  tokens += 1;
  return [Buffer.from(random.bytes(16)).toString('hex'), hostname(), pid, threadId, tokens].join('-');
}
