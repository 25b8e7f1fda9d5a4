import type { Warehouse } from '../../warehouse/warehouse.ts';
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
  #files: Promise<Map<string, Set<string>>> | undefined;

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
    await this.#add(table, [...(await this.#warehouse.referenced(table))]);
  }

  /** Adds files that were removed, wherever they lay: their old versions are still to go. */
  async rememberRemoved(table: string, files: readonly string[]): Promise<void> {
    if (files.length > 0) await this.#add(table, files);
  }

  /** All files that were named or removed, in this run of the job and in those before it. */
  async of(table: string): Promise<ReadonlySet<string>> {
    return (await this.#known()).get(table) ?? new Set();
  }

  async #add(table: string, files: readonly string[]): Promise<void> {
    const known = await this.#known();
    await this.#state.rememberFiles(this.#request, { table, files });
    known.set(table, new Set([...(known.get(table) ?? []), ...files]));
  }

  /** Read once: nobody else adds to them while the job runs. */
  #known(): Promise<Map<string, Set<string>>> {
    this.#files ??= this.#state.rememberedFiles(this.#request);
    return this.#files;
  }
}
