import type { LineageNames } from '../governance/governance.ts';
import type { Storage } from '../storage/storage.ts';
import { isObject } from '../values/is-object.ts';
import { buildLineage } from './build/build.ts';
import { Collector } from './collect/collector.ts';
import type { Lineage, Skipped } from './lineage.ts';
import { readEvent } from './read/event.ts';
import { passEvents, type RawEvent, type Unreadable } from './read/raw-events.ts';
import { EventParser } from './read/scan/event-parser.ts';
import { type LineageSource, streamsOf } from './read/sources.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What to read lineage from, and how its datasets are named. */
export interface ReadLineage {
  /** Files, folders, byte streams, services, or events in memory; in any order, with duplicates. */
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
export async function readLineage(options: ReadLineage): Promise<Lineage> {
  return readLineageBy(new EventParser(), options);
}

/** The same with a parser of the caller's. */
export async function readLineageBy(
  parser: EventParser,
  { from, storage, names, tables }: ReadLineage,
): Promise<Lineage> {
  const collector = new Collector(parser);
  const skipped: Skipped[] = [];
  const take = (read: RawEvent | Unreadable): void => {
    const { file, line } = read;
    if ('why' in read) {
      skipped.push({ file, line, run: null, why: read.why });
      return;
    }
    const run = runIdOf(read.value);
    const fault = (why: string): void => void skipped.push({ file, line, run, why });
    const event = readEvent(read.value, fault);
    collector.place = run === null ? { file, line } : { file, line, run };
    if (event !== null) collector.add(event, fault);
    parser.taken();
  };
  for (const source of from)
    for await (const stream of streamsOf(source, storage))
      for await (const _ of passEvents({ stream, parser, take }));
  return buildLineage(collector, { names, tables, skipped });
}

/** The run that an event belongs to, by which its producer's log has it; what is no id may be anything of anybody's. */
function runIdOf(value: unknown): string | null {
  const run = isObject(value) ? value.run : null;
  const id = isObject(run) ? run.runId : null;
  return typeof id === 'string' && UUID.test(id) ? id : null;
}
