import { existsSync } from 'node:fs';
import { InputError } from '../../errors.ts';
import { openIceberg, type Warehouse } from '../../warehouse/index.ts';
import type { Config } from '../config/config.ts';
import type { Io } from '../io.ts';
import { system } from '../system.ts';
import { catalogAccess } from './catalog.ts';
import { storageAccess } from './storage.ts';

/**
 * Opens the warehouse that the configuration names. A folder that is not there has no tables: a scan of it would find nobody, and
 * look clean.
 *
 * @throws InputError `cli/no-warehouse`, `cli/no-secret`, and what `openIceberg` throws
 */
export async function openWarehouse(config: Config, env: Io['env']): Promise<Warehouse> {
  const { warehouse, file } = config;
  if (warehouse === null) {
    throw new InputError('cli/no-warehouse', `${file} has no [warehouse]`, {
      remedy: 'Add one: this command reads tables',
    });
  }
  const { catalog, mounts, tables } = warehouse;
  const folder = catalog.kind === 'directory' ? catalog.path : null;
  if (folder !== null && !isInS3(folder) && !existsSync(folder)) {
    throw new InputError('cli/no-warehouse', `There is no folder ${folder}`, {
      remedy: `Correct the path of [warehouse] in ${file}, or mount the folder there`,
    });
  }
  const s3 = storageAccess(warehouse, env);
  const opened = await openIceberg({
    ...system,
    catalog: catalogAccess(config, warehouse, env),
    mounts,
    tables,
    ...(s3 === null ? {} : { s3 }),
  });
  if (folder !== null && isInS3(folder)) await refuseEmpty(opened, folder, file);
  return opened;
}

function isInS3(path: string): boolean {
  return /^s3[an]?:/i.test(path);
}

/** S3 has no folders: one in which nothing lies is not there. */
async function refuseEmpty(warehouse: Warehouse, path: string, file: string): Promise<void> {
  try {
    for await (const _ of warehouse.storage.list(path)) return;
    throw new InputError('cli/no-warehouse', `There is nothing under ${path}`, {
      remedy: `Correct the path of [warehouse] in ${file}`,
    });
  } catch (cause) {
    await warehouse.close();
    throw cause;
  }
}
