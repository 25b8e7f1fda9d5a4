import type { RecordBatch } from 'apache-arrow';
import { always } from '../predicate/index.ts';
import type { Predicate } from '../predicate/predicate.ts';
import type { Storage } from '../storage/storage.ts';
import type { Clock } from '../values/time.ts';
import type { Catalog, TableCommit } from './catalog.ts';
import { unclaimed } from './claims.ts';
import { clearDead, commitLoop } from './commit-loop.ts';
import type { DataPlane } from './data-plane.ts';
import { assertNoneHidden, withHidden } from './hidden-metadata.ts';
import { nestedTables } from './nested.ts';
import { filesEver } from './past.ts';
import { placeRefusals } from './place-refusals.ts';
import { purgeVersions } from './purge.ts';
import { checkReadable } from './readable.ts';
import { removeLoose } from './remove-loose.ts';
import { addRows, changeRows } from './rows.ts';
import { sweepTable, unreferencedFiles } from './sweep.ts';
import type { SelectedFile, TableFormat, TableState } from './table-format.ts';
import { versionRefusals } from './version-refusals.ts';
import type {
  Changed,
  ColumnBounds,
  CommitNote,
  Expired,
  ExpireOptions,
  FileEntry,
  PurgedVersions,
  PurgeOptions,
  ReadAt,
  ReadOptions,
  Rows,
  RowWork,
  Scrubbed,
  SweepOptions,
  Swept,
  TableDefinition,
  TableDescription,
  TableRefusal,
  Tuple,
  Warehouse,
} from './warehouse.ts';
import { within } from './within.ts';

/** The four ports that make a warehouse, and the clock. */
export interface WarehouseParts {
  readonly catalog: Catalog;
  readonly format: TableFormat;
  readonly plane: DataPlane;
  readonly storage: Storage;
  readonly clock: Clock;
}

/** Puts a catalog, a format, a data plane and a storage together. */
export function tablesOf(parts: WarehouseParts): Warehouse {
  return new Tables(parts);
}

class Tables implements Warehouse {
  readonly storage: Storage;
  readonly root?: string;
  readonly #parts: WarehouseParts;

  constructor(parts: WarehouseParts) {
    this.#parts = parts;
    this.storage = parts.storage;
    if (parts.catalog.root !== undefined) this.root = parts.catalog.root;
  }

  async list(): Promise<readonly string[]> {
    return (await this.#parts.catalog.list()).map(({ table }) => table);
  }

  async describe(table: string): Promise<TableDescription> {
    const { catalog, plane } = this.#parts;
    return withHidden(catalog, await (await this.#open(table)).describe(plane.capabilities));
  }

  async count(table: string, where?: Predicate, { snapshotId }: ReadAt = {}): Promise<number> {
    const { plane } = this.#parts;
    const state = await this.#open(table);
    const files = await this.#files(state, where, snapshotId);
    return files.length === 0 ? 0 : plane.count(state.planeTable(snapshotId), files, where);
  }

  async *distinct(
    table: string,
    columns: readonly string[],
    where?: Predicate,
    { past = false, mayHold }: { readonly past?: boolean; readonly mayHold?: readonly string[] } = {},
  ): AsyncIterable<Tuple> {
    const state = await this.#open(table);
    const files = past ? await filesEver(state, this.storage, where) : await this.#files(state, where);
    checkReadable(table, files, this.#parts.plane);
    if (files.length === 0) return;
    yield* this.#parts.plane.distinct(state.planeTable(), files, columns, where, mayHold);
  }

  async *read(table: string, { snapshotId, ...read }: ReadOptions = {}): AsyncIterable<RecordBatch> {
    const state = await this.#open(table);
    const files = await this.#files(state, read.where, snapshotId);
    yield* this.#parts.plane.read(state.planeTable(snapshotId), files, read);
  }

  async change(table: string, work: RowWork, note: CommitNote): Promise<Changed> {
    return changeRows(this.#parts, { table, work, note });
  }

  async scrub(table: string, note: CommitNote): Promise<Scrubbed> {
    const { result } = await commitLoop(this.#parts, {
      table,
      kind: 'scrub',
      stage: async (state, attempt) => {
        const snapshotBefore = state.loaded.metadata.currentSnapshotId;
        const begun = await attempt();
        const commit = await begun.stageScrub(state, note);
        // Nothing goes unless all that is needed can be read: that is asked before the commit, and not after it.
        if (commit !== null && commit.dropped.length > 0) await state.referenced();
        await begun.removing(commit?.dropped ?? []);
        const snapshotAfter = commit?.snapshotId ?? snapshotBefore;
        const scrubbed = { snapshotBefore, snapshotAfter, ...(commit?.counts ?? NOTHING_SCRUBBED) };
        return { commit, result: { scrubbed, dropped: commit?.dropped ?? [] } };
      },
      settle: async (result, after) => {
        await removeLoose(this.#parts, after, result.dropped);
        return result;
      },
    });
    return result.scrubbed;
  }

  async expire(table: string, options: ExpireOptions): Promise<Expired> {
    const { result } = await commitLoop(this.#parts, {
      table,
      kind: 'expire',
      stage: async (state, attempt) => {
        const staged = await state.stageExpiry(options);
        const removing = options.files === 'delete' ? staged.onlyExpired : [];
        if (removing.length > 0) await attempt(removing);
        return {
          commit: staged.updates.length === 0 ? null : staged,
          result: { snapshots: staged.snapshots, files: removing },
        };
      },
      settle: async ({ snapshots, files }, after) => ({
        snapshots,
        files: await removeLoose(this.#parts, after, files),
      }),
    });
    return { snapshots: result.snapshots, filesDeleted: result.files };
  }

  async bounds(table: string): Promise<readonly ColumnBounds[]> {
    return (await this.#open(table)).bounds();
  }

  async unreferenced(table: string): Promise<readonly FileEntry[]> {
    return unreferencedFiles(await this.#open(table), this.#parts);
  }

  async referenced(table: string): Promise<ReadonlySet<string>> {
    return (await this.#open(table)).referenced();
  }

  async sweep(table: string, options: SweepOptions): Promise<Swept> {
    const { clock } = this.#parts;
    const state = await this.#open(table);
    state.assertAllowed('expire');
    await assertNoneHidden(this.#parts.catalog, table);
    await clearDead(this.#parts, table, state);
    return sweepTable(state, this.#parts, { ...options, now: clock.now() });
  }

  async storageRefusals(table: string): Promise<readonly TableRefusal[]> {
    const places = await placeRefusals(this.storage, await this.#open(table));
    if (places.length > 0 || this.storage.keepsVersions === false) return places;
    const folders = await this.#folders(table);
    return versionRefusals(this.storage, folders, this.#parts.clock.now());
  }

  async purgeVersions(table: string, { minAgeMs, files = [] }: PurgeOptions): Promise<PurgedVersions | null> {
    if (this.storage.keepsVersions === false) return null;
    const folders = await this.#folders(table);
    const elsewhere = files.map((file) => this.storage.normalize(file));
    if ([...folders, ...elsewhere].every((location) => this.storage.versions(location) === null)) return null;
    return purgeVersions({
      storage: this.storage,
      folders,
      files: new Set(elsewhere),
      nested: await nestedTables(folders, { ...this.#parts, table }),
      minAgeMs,
      now: this.#parts.clock.now(),
    });
  }

  async dropRef(table: string, ref: string): Promise<void> {
    await commitLoop(this.#parts, {
      table,
      kind: 'drop-ref',
      stage: async (state) => ({ commit: state.stageDropRef(ref), result: undefined }),
    });
  }

  async setProperties(
    table: string,
    set: Readonly<Record<string, string>>,
    _note: CommitNote,
  ): Promise<void> {
    await commitLoop(this.#parts, {
      table,
      kind: 'properties',
      stage: async ({ loaded: { metadata } }) => {
        const changed = Object.entries(set).some(([name, value]) => metadata.properties[name] !== value);
        const commit: TableCommit = {
          requirements: [{ type: 'assert-table-uuid', uuid: metadata.uuid }],
          updates: [{ action: 'set-properties', updates: set }],
        };
        return { commit: changed ? commit : null, result: undefined };
      },
    });
  }

  async create(table: string, definition: TableDefinition): Promise<void> {
    const { catalog, format } = this.#parts;
    const location = definition.location ?? (await catalog.defaultLocation(table));
    await catalog.create(table, format.create(table, definition, location ?? ''));
  }

  async append(table: string, rows: Rows, note: CommitNote = {}): Promise<Changed> {
    return addRows(this.#parts, { table, rows, note, work: null });
  }

  async overwrite(
    table: string,
    rows: Rows,
    { where, note = {} }: { readonly where?: Predicate; readonly note?: CommitNote } = {},
  ): Promise<Changed> {
    return addRows(this.#parts, { table, rows, note, work: { delete: where ?? always() } });
  }

  async drop(table: string, { purge }: { readonly purge: boolean }): Promise<void> {
    const state = await this.#open(table);
    if (!purge) return this.#parts.catalog.drop(table);
    state.assertAllowed('expire');
    const { location } = state.loaded.metadata;
    const files = new Set(await state.referenced());
    for await (const file of this.storage.list(location)) files.add(this.storage.normalize(file.location));
    const own = await unclaimed(files, { ...this.#parts, table });
    await this.#parts.catalog.drop(table);
    for (const file of own) await this.storage.remove(file);
  }

  async close(): Promise<void> {
    try {
      await this.#parts.plane.close();
    } finally {
      await this.#parts.catalog.close?.();
      await this.storage.close?.();
    }
  }

  /** The folders that a table writes into, none inside another. */
  async #folders(table: string): Promise<readonly string[]> {
    const folders = (await this.#open(table)).folders().map((folder) => this.storage.normalize(folder));
    return [...new Set(folders)].filter(
      (folder) => !folders.some((other) => other !== folder && within(other, folder)),
    );
  }

  async #open(table: string): Promise<TableState> {
    return this.#parts.format.open(await this.#parts.catalog.load(table));
  }

  async #files(state: TableState, where?: Predicate, snapshotId?: bigint): Promise<readonly SelectedFile[]> {
    const files = await state.files({
      ...(where === undefined ? {} : { where }),
      ...(snapshotId === undefined ? {} : { snapshotId }),
    });
    checkReadable(state.loaded.table, files, this.#parts.plane);
    return files;
  }
}

const NOTHING_SCRUBBED = {
  manifestsRewritten: 0,
  entriesDropped: 0,
  boundsDropped: 0,
  statisticsFilesDropped: 0,
} as const;
