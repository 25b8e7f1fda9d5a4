import type { LineageNames } from '../governance/governance.ts';
import type { Storage } from '../storage/storage.ts';
import { buildLineage } from './build/build.ts';
import { Collector } from './collect/collector.ts';
import type { Lineage, Skipped } from './lineage.ts';
import { readEvent } from './read/event.ts';
import { type LineageSource, readSource } from './read/sources.ts';

/** What to read lineage from, and how its datasets are named. */
export interface ReadLineage {
  /** Files, folders, byte streams, or events in memory; in any order, with duplicates. */
  readonly from: readonly LineageSource[];
  /** Needed for files and folders only. */
  readonly storage?: Storage;
  /** `lineage.toml`, as `governance.names` holds it (rule L2a). */
  readonly names?: LineageNames;
  /** The tables of the warehouse: they decide where a dataset's name fits several. */
  readonly tables?: readonly string[];
}

/**
 * Reads OpenLineage run, job and dataset events of any version (rules L1 to L3). What cannot be read is in
 * {@link Lineage.skipped} with its place; the rest is kept.
 *
 * ```ts
 * const lineage = await readLineage({ from: ['lineage'], storage: localStorage(), names: governance.names });
 * ```
 *
 * @throws InputError `lineage/not-found` where a file or folder is not there, `lineage/no-storage` for a location without a
 * storage
 */
export async function readLineage({ from, storage, names, tables }: ReadLineage): Promise<Lineage> {
  const collector = new Collector();
  const skipped: Skipped[] = [];
  for (const source of from) {
    await readSource(source, storage, {
      event: (file, line, value) => {
        const fault = (why: string): void => void skipped.push({ file, line, why });
        const event = readEvent(value, fault);
        if (event !== null) collector.add(event, fault);
      },
      fault: (file, line, why) => void skipped.push({ file, line, why }),
    });
  }
  return buildLineage(collector, { names, tables, skipped });
}
