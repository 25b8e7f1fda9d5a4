import { resolve } from 'node:path';
import type { StorageConfig, WarehouseConfig } from './config.ts';
import type { WrittenStorage } from './storage-schema.ts';

/** Where files are, out of what the file says; paths begin in its folder. */
export function placesOf(
  written: {
    readonly storage?: WrittenStorage | undefined;
    readonly mounts?: Readonly<Record<string, string>> | undefined;
    readonly tables?: Readonly<Record<string, string>> | undefined;
  },
  folder: string,
): Pick<WarehouseConfig, 'storage' | 'mounts' | 'tables'> {
  const at = (path: string): string => (/^[a-z][a-z0-9+.-]+:/i.test(path) ? path : resolve(folder, path));
  return {
    storage: written.storage === undefined ? null : storageOf(written.storage, at),
    mounts: Object.fromEntries(
      // A slash at the end of a prefix stands at the end of what takes its place, too.
      Object.entries(written.mounts ?? {}).map(([prefix, target]) => [
        prefix,
        prefix.endsWith('/') ? `${at(target).replace(/\/+$/, '')}/` : at(target),
      ]),
    ),
    tables: Object.fromEntries(
      Object.entries(written.tables ?? {}).map(([table, location]) => [table, at(location)]),
    ),
  };
}

function storageOf(
  {
    region,
    endpoint,
    path_style: pathStyle,
    access_key_env: accessKeyEnv,
    secret_key_env: secretKeyEnv,
    session_token_env: sessionTokenEnv,
    temporary,
  }: WrittenStorage,
  at: (path: string) => string,
): StorageConfig {
  return {
    kind: 's3',
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(pathStyle === undefined ? {} : { pathStyle }),
    ...(accessKeyEnv === undefined || secretKeyEnv === undefined
      ? {}
      : {
          keys: {
            accessKeyEnv,
            secretKeyEnv,
            ...(sessionTokenEnv === undefined ? {} : { sessionTokenEnv }),
          },
        }),
    ...(temporary === undefined ? {} : { temporary: at(temporary) }),
  };
}
