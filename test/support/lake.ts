import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Random } from '../../src/values/time.ts';
import { type IcebergSettings, openIceberg } from '../../src/warehouse/iceberg/open.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';

/** A clock that a test sets. Files on disk have the machine's own times. */
export interface TestClock extends Clock {
  at: number;
}

/** Random bytes that are the same in every run, and never the same twice in one (xorshift32). */
export function seededRandom(seed: number): Random {
  let state = seed | 0 || 1;
  return {
    bytes: (count) =>
      Uint8Array.from({ length: count }, () => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return state & 0xff;
      }),
  };
}

/** An empty folder with a warehouse in it. */
export interface Lake {
  readonly path: string;
  readonly clock: TestClock;
  readonly warehouse: Warehouse;
  /** Opens the same folder again, as another process would. */
  open(settings?: Partial<IcebergSettings> & { readonly takeOver?: boolean }): Promise<Warehouse>;
  close(): Promise<void>;
}

let seeds = 0;

/** Makes a warehouse in a temporary folder; the clock stands at 2026-10-01 until the test moves it. */
export async function makeLake(): Promise<Lake> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'lethe-lake-')));
  const clock: TestClock = {
    at: Date.UTC(2026, 9, 1),
    now: () => clock.at,
  };
  const opened: Warehouse[] = [];
  const open: Lake['open'] = async ({ takeOver = false, ...settings } = {}) => {
    seeds += 1;
    const warehouse = await openIceberg({
      catalog: { kind: 'directory', path, takeOver },
      clock,
      random: seededRandom(seeds * 7919),
      ...settings,
    });
    opened.push(warehouse);
    return warehouse;
  };
  return {
    path,
    clock,
    warehouse: await open(),
    open,
    close: async () => {
      for (const warehouse of opened) await warehouse.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}
