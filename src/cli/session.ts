import type { PlanTable } from '../erasure/index.ts';
import type { Governance } from '../governance/governance.ts';
import { loadGovernance } from '../governance/index.ts';
import { readLineage } from '../lineage/index.ts';
import type { Lineage } from '../lineage/lineage.ts';
import { openRegister, type Register } from '../register/index.ts';
import { localStorage } from '../storage/index.ts';
import type { Day } from '../values/time.ts';
import { describeAll } from '../warehouse/index.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import { registerAccess } from './access/register.ts';
import { openWarehouse } from './access/warehouse.ts';
import type { Config } from './config/config.ts';
import { findConfig } from './config/find.ts';
import { readConfig } from './config/read.ts';
import { declaredTables } from './declared-tables.ts';
import { eventSources } from './input/event-sources.ts';
import type { Io } from './io.ts';
import type { Progress } from './output/progress.ts';

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
  /** The tables and their columns: the warehouse's own, or where the configuration has none, those that the events describe. */
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
  const warehouse = once(async () => openWarehouse(await config(), io.env));
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
  return {
    io,
    progress,
    config,
    governance,
    lineage,
    warehouse,
    tables: once(async () =>
      (await config()).warehouse === null
        ? declaredTables(await lineage(), await undated())
        : describeAll(await warehouse()),
    ),
    register,
    close: async () => {
      if (warehouse.asked()) await (await warehouse()).close();
    },
  };
}

type Once<T> = (() => Promise<T>) & { asked(): boolean };

function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  return Object.assign(() => (made ??= make()), { asked: () => made !== undefined });
}
