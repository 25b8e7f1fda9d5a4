import * as z from 'zod';
import type { AppendLog } from '../../storage/log/append-log.ts';
import { readLines } from '../../storage/log/read-lines.ts';
import type { Warehouse } from '../../warehouse/warehouse.ts';
import { BROKEN } from './journal.ts';

const namedIn = z.object({ table: z.string(), files: z.array(z.string()).readonly() });

/**
 * The files that a table's metadata named before its old snapshots expired. Expiry commits first and removes files after, so
 * a job that is killed in between leaves files that hold the person and that nothing names any more; they look like the
 * files of a running commit, which no sweep may touch while they are young. What was named once is none of those: the next
 * run removes it at once (rule E4, hazard 16).
 */
export class NamedFiles {
  readonly #log: AppendLog;
  readonly #warehouse: Warehouse;
  #files: Promise<Map<string, Set<string>>> | undefined;

  constructor(log: AppendLog, warehouse: Warehouse) {
    this.#log = log;
    this.#warehouse = warehouse;
  }

  /** Writes down, durably and privately, since a partition's path can hold a value, what the table's metadata names now. */
  async remember(table: string): Promise<void> {
    await this.#add(table, [...(await this.#warehouse.referenced(table))]);
  }

  /** Adds files that were removed, wherever they lay: their old versions are still to go. */
  async rememberRemoved(table: string, files: readonly string[]): Promise<void> {
    await this.#add(table, files);
  }

  /** All files that were named or removed, in this run of the job and in those before it. */
  async of(table: string): Promise<ReadonlySet<string>> {
    return (await this.#known()).get(table) ?? new Set();
  }

  /** Writes down those that are not yet: what an expiry removes was mostly named before it. */
  async #add(table: string, files: readonly string[]): Promise<void> {
    const known = await this.#known();
    const there = known.get(table) ?? new Set();
    const added = files.filter((file) => !there.has(file));
    if (added.length === 0) return;
    await this.#log.add(() => [JSON.stringify({ table, files: added })]);
    known.set(table, new Set([...there, ...added]));
  }

  /** Read once: nobody else adds to them while the job runs. */
  #known(): Promise<Map<string, Set<string>>> {
    this.#files ??= this.#read();
    return this.#files;
  }

  async #read(): Promise<Map<string, Set<string>>> {
    const lines = readLines({
      name: this.#log.name,
      lines: (await this.#log.read()) ?? [],
      read: (parsed) => namedIn.safeParse(parsed).data ?? null,
      broken: BROKEN,
    });
    const named = new Map<string, Set<string>>();
    for (const { table, files } of lines) named.set(table, new Set([...(named.get(table) ?? []), ...files]));
    return named;
  }
}
