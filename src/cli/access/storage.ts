import type { S3StorageOptions } from '../../storage/index.ts';
import type { WarehouseConfig } from '../config/config.ts';
import type { Io } from '../io.ts';
import { secretOf } from './secret-of.ts';

/**
 * How S3 is reached, with the keys out of the environment; null where the file says nothing of it.
 *
 * @throws InputError `cli/no-secret`
 */
export function storageAccess(
  { storage }: WarehouseConfig,
  env: Io['env'],
): Omit<S3StorageOptions, 'random'> | null {
  if (storage === null) return null;
  const { kind: _, keys, ...access } = storage;
  if (keys === undefined) return access;
  const { accessKeyEnv, secretKeyEnv, sessionTokenEnv } = keys;
  return {
    ...access,
    credentials: {
      accessKeyId: secretOf(accessKeyEnv, env),
      secretAccessKey: secretOf(secretKeyEnv, env),
      ...(sessionTokenEnv === undefined ? {} : { sessionToken: secretOf(sessionTokenEnv, env) }),
    },
  };
}
