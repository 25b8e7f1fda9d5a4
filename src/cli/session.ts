import { existsSync } from 'node:fs';
import type { PlanTable } from '../erasure/index.ts';
import { InputError } from '../errors.ts';
import type { Governance } from '../governance/governance.ts';
import { loadGovernance } from '../governance/index.ts';
import { readLineage } from '../lineage/index.ts';
import type { Lineage } from '../lineage/lineage.ts';
import { openRegister, type Register } from '../register/index.ts';
import { localStorage } from '../storage/index.ts';
import type { Day } from '../values/time.ts';
import { openIceberg } from '../warehouse/index.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import { catalogAccess } from './catalog-access.ts';
import type { Config } from './config/config.ts';
import { findConfig } from './config/find.ts';
import { readConfig } from './config/read.ts';
import { eventSources } from './event-sources.ts';
import type { Io } from './io.ts';
import type { Progress } from './output/progress.ts';
import { tablesOf } from './planning.ts';
import { registerAccess } from './register-keys.ts';
import { storageAccess } from './storage-access.ts';
import { system } from './system.ts';

/** What one run of the command works with: each part is opened when it is first asked for, and once. */
export interface Session {
  readonly io: Io;
  readonly progress: Progress;
  config(): Promise<Config>;
  /** With a day, exceptions past their `review_by` on it are faults. */
  governance(day?: Day): Promise<Governance>;
  lineage(): Promise<Lineage>;
  /** @throws InputError `cli/no-warehouse`, `cli/no-secret` */
  warehouse(): Promise<Warehouse>;
  /** The tables and their columns as the command found them. */
  tables(): Promise<readonly PlanTable[]>;
  /** @throws InputError `cli/no-register`, `cli/no-key` */
  register(options?: { readonly mustExist: boolean }): Promise<Register>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly io: Io;
  readonly progress: Progress;
  /** The value of `--config`. */
  readonly config: string | undefined;
}

/** Opens a session; nothing is read yet. */
export function openSession({ io, progress, config: named }: SessionOptions): Session {
  const config = once(() => readConfig(findConfig(io.cwd, named)));
  const undated = once(async () => loadGovernance((await config()).governance));
  const governance: Session['governance'] = async (day) =>
    day === undefined ? undated() : loadGovernance((await config()).governance, { day });
  const warehouse = once(async () => {
    const read = await config();
    const { warehouse, file } = read;
    if (warehouse === null) {
      throw new InputError('cli/no-warehouse', `${file} has no [warehouse]`, {
        remedy: 'Add one: this command reads tables',
      });
    }
    // A folder that is not there has no tables: a scan of it would find nobody, and look clean.
    const { catalog } = warehouse;
    if (catalog.kind === 'directory' && !isInS3(catalog.path) && !existsSync(catalog.path)) {
      throw new InputError('cli/no-warehouse', `There is no folder ${catalog.path}`, {
        remedy: `Correct the path of [warehouse] in ${file}, or mount the folder there`,
      });
    }
    const s3 = storageAccess(warehouse, io.env);
    const { mounts, tables } = warehouse;
    const opened = await openIceberg({
      ...system,
      catalog: catalogAccess(read, warehouse, io.env),
      mounts,
      tables,
      ...(s3 === null ? {} : { s3 }),
    });
    if (catalog.kind === 'directory' && isInS3(catalog.path)) await refuseEmpty(opened, catalog.path, file);
    return opened;
  });
  const lineage = once(async () => {
    const { lineage: sources, warehouse: reachable } = await config();
    return readLineage({
      from: await eventSources(sources, io),
      storage: localStorage(),
      names: (await governance()).names,
      ...(reachable === null ? {} : { tables: await (await warehouse()).list() }),
    });
  });
  const register: Session['register'] = async ({ mustExist } = { mustExist: false }) =>
    openRegister({ ...registerAccess(await config(), io.env), mustExist });
  const session: Session = {
    io,
    progress,
    config,
    governance,
    lineage,
    warehouse,
    tables: once(() => tablesOf(session)),
    register,
    close: async () => {
      if (warehouse.asked()) await (await warehouse()).close();
    },
  };
  return session;
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

type Once<T> = (() => Promise<T>) & { asked(): boolean };

function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  return Object.assign(() => (made ??= make()), { asked: () => made !== undefined });
}
