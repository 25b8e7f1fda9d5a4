import type { Warehouse } from '../../warehouse/warehouse.ts';
import { describeOrNull } from './check-tables.ts';
import type { StateFolder } from './state-folder.ts';

/**
 * The files that a table's metadata named before its old snapshots expired. Expiry commits first and removes files after, so
 * a job that is killed in between leaves files that hold the person and that nothing names any more; they look like the
 * files of a running commit, which no sweep may touch while they are young. What was named once is none of those: the next
 * run removes it at once (rule E4, hazard 16).
 */
export class NamedFiles {
  readonly #state: StateFolder;
  readonly #request: string;
  readonly #warehouse: Warehouse;

  constructor(options: {
    readonly state: StateFolder;
    readonly request: string;
    readonly warehouse: Warehouse;
  }) {
    this.#state = options.state;
    this.#request = options.request;
    this.#warehouse = options.warehouse;
  }

  /** Writes down, durably and privately, since a partition's path can hold a value, what the table's metadata names now. */
  async remember(table: string): Promise<void> {
    const description = await describeOrNull(this.#warehouse, table);
    if (description === null) return;
    const { storage } = this.#warehouse;
    const files = new Set<string>();
    for (const folder of description.folders) {
      for await (const { location } of storage.list(folder)) files.add(storage.normalize(location));
    }
    for (const { location } of await this.#warehouse.unreferenced(table))
      files.delete(storage.normalize(location));
    await this.#state.rememberFiles(this.#request, { table, files: [...files] });
  }

  /** Adds files that were removed, wherever they lay: their old versions are still to go. */
  async rememberRemoved(table: string, files: readonly string[]): Promise<void> {
    if (files.length > 0) await this.#state.rememberFiles(this.#request, { table, files: [...files] });
  }

  /** All files that were named or removed. */
  remembered(table: string): Promise<readonly string[]> {
    return this.#state.rememberedFiles(this.#request, table);
  }

  /** Removes what was named then and no longer is; returns how many files. */
  async removeLeft(table: string): Promise<number> {
    const { storage } = this.#warehouse;
    const known = new Set(await this.#state.rememberedFiles(this.#request, table));
    let removed = 0;
    for (const { location } of await this.#warehouse.unreferenced(table)) {
      if (known.has(storage.normalize(location)) && (await storage.remove(location))) removed += 1;
    }
    return removed;
  }
}
