import { FailedError, InputError } from '../../../errors.ts';
import type { Storage } from '../../../storage/storage.ts';
import { fileKey } from '../../data-file.ts';
import type { PartitionSpec } from '../../partition-spec.ts';
import type { Schema } from '../../schema.ts';
import { type FileEntry, readLocations, readManifest } from '../manifest/manifest.ts';
import { type ManifestEntry, readManifestList, readNewManifests } from '../manifest/manifest-list.ts';
import { damaged } from '../metadata/damaged.ts';
import { type SnapshotMetadata, snapshotAt, type TableMetadata } from '../metadata/metadata.ts';
import { KnownManifests } from './known-manifests.ts';

/** What a {@link TableReader} need not read again: manifests never change. */
export interface ReadBefore {
  /** By any state of any table. */
  readonly known?: KnownManifests;
  /** By an earlier state of the table, whatever its size. */
  readonly earlier?: TableReader | undefined;
}

/** Reads the manifests of one state of a table, each of them once. */
export class TableReader {
  readonly metadata: TableMetadata;
  readonly #storage: Storage;
  readonly #known: KnownManifests;
  readonly #table: string;
  readonly #lists: Map<string, Promise<readonly ManifestEntry[]>>;
  readonly #manifests: Map<string, Promise<readonly FileEntry[]>>;

  constructor(storage: Storage, metadata: TableMetadata, { known, earlier }: ReadBefore = {}) {
    this.#storage = storage;
    this.metadata = metadata;
    this.#known = known ?? new KnownManifests(storage);
    // Specs and schemas keep their ids, so what a file says follows from the table, its schemas and the file.
    const { location, uuid, schema, schemas } = metadata;
    this.#table = JSON.stringify([location, uuid, schema.id, schemas.length]);
    this.#lists = new Map(earlier === undefined ? [] : earlier.#lists);
    this.#manifests = new Map(earlier === undefined ? [] : earlier.#manifests);
  }

  /** The current schema first: the others are asked only for columns it has dropped. */
  get schemas(): readonly Schema[] {
    const { schema, schemas } = this.metadata;
    return [schema, ...schemas.filter((other) => other !== schema)];
  }

  spec(id: number): PartitionSpec {
    const spec = this.metadata.specs.find((candidate) => candidate.id === id);
    if (spec === undefined) throw damaged(this.metadata.location, `there is no partition spec ${id}`);
    return spec;
  }

  /**
   * The current snapshot, or the one of an id; null for an empty table.
   *
   * @throws InputError `warehouse/no-such-snapshot`
   */
  snapshot(id?: bigint): SnapshotMetadata | null {
    const found = snapshotAt(this.metadata, id);
    if (found === null && id !== undefined) {
      throw new InputError('warehouse/no-such-snapshot', `${this.metadata.location} has no snapshot ${id}`, {
        remedy: 'It was expired or never there; list the snapshots that are left with lethe tables',
        data: { snapshotId: String(id) },
      });
    }
    return found;
  }

  /** The manifests of a snapshot. */
  manifests(snapshot: SnapshotMetadata | null): Promise<readonly ManifestEntry[]> {
    if (snapshot === null) return Promise.resolve([]);
    const { manifestList } = snapshot;
    if (manifestList === null) return Promise.resolve(snapshot.manifests.map(bareManifest));
    return once(this.#lists, manifestList, () =>
      this.#known.lists.of(this.#nameOf(manifestList), manifestList, (bytes) =>
        readManifestList(manifestList, bytes),
      ),
    );
  }

  /** The entries of a manifest. */
  entries(manifest: ManifestEntry): Promise<readonly FileEntry[]> {
    const key = manifestKey(manifest);
    return once(this.#manifests, key, () =>
      this.#known.entries.of(this.#nameOf(key), manifest.path, (bytes) => {
        const context = { manifest, spec: this.spec(manifest.specId), schemas: this.schemas };
        const entries = readManifest(bytes, context);
        checkComplete(manifest, bytes.length, entries.length);
        return entries;
      }),
    );
  }

  #nameOf(file: string): string {
    return `${this.#table} ${file}`;
  }

  #isRead(manifest: ManifestEntry): boolean {
    const key = manifestKey(manifest);
    return this.#manifests.has(key) || this.#known.entries.has(this.#nameOf(key));
  }

  /**
   * The manifests of a snapshot that are not among `seen`, which they join. Nothing of the list is kept: this is for walks over
   * many snapshots.
   */
  async newManifests(snapshot: SnapshotMetadata, seen: Set<string>): Promise<readonly ManifestEntry[]> {
    const { manifestList } = snapshot;
    const cached =
      manifestList === null ||
      this.#lists.has(manifestList) ||
      this.#known.lists.has(this.#nameOf(manifestList));
    const manifests = cached
      ? (await this.manifests(snapshot)).filter(({ path }) => !seen.has(path))
      : readNewManifests(manifestList, await this.#storage.read(manifestList), seen);
    for (const { path } of manifests) seen.add(path);
    return manifests;
  }

  /** The locations of a manifest's live files, without anything else that it says. */
  async locations(manifest: ManifestEntry): Promise<readonly string[]> {
    if (this.#isRead(manifest)) {
      const live = (await this.entries(manifest)).filter(({ status }) => status !== 'deleted');
      return live.map(({ file }) => file.location);
    }
    const bytes = await this.#storage.read(manifest.path);
    const { entries, live } = readLocations(manifest.path, bytes);
    checkComplete(manifest, bytes.length, entries);
    return live;
  }

  /** The live entries of a snapshot; only manifests that are `wanted` are opened. */
  async live(
    snapshot: SnapshotMetadata | null,
    wanted: (manifest: ManifestEntry) => boolean = () => true,
  ): Promise<readonly FileEntry[]> {
    const entries: FileEntry[] = [];
    for (const manifest of (await this.manifests(snapshot)).filter(wanted)) {
      for (const entry of await this.entries(manifest)) if (entry.status !== 'deleted') entries.push(entry);
    }
    return entries;
  }

  /**
   * The manifests of a snapshot that hold one of some live files, by {@link fileKey}. Those that are read already are asked first,
   * and no other is opened once all the files are found.
   */
  async holders(
    snapshot: SnapshotMetadata | null,
    files: ReadonlySet<string>,
  ): Promise<ReadonlySet<ManifestEntry>> {
    const holders = new Set<ManifestEntry>();
    const missing = new Set(files);
    const manifests = await this.manifests(snapshot);
    const read = new Set(manifests.filter((manifest) => this.#isRead(manifest)));
    const unread = manifests.filter((manifest) => !read.has(manifest));
    for (const manifest of [...read, ...unread]) {
      if (missing.size === 0 && !read.has(manifest)) break;
      for (const { status, file } of await this.entries(manifest)) {
        if (status === 'deleted' || !files.has(fileKey(file))) continue;
        holders.add(manifest);
        missing.delete(fileKey(file));
      }
    }
    return holders;
  }
}

/**
 * A manifest that was cut between two blocks is still whole Avro, and its files would be passed over. The list's counts tell.
 * Its length tells less, as some writers get it wrong; it decides only where version 1 has no counts.
 */
function checkComplete(manifest: ManifestEntry, length: number, entries: number): void {
  const { counts, path } = manifest;
  const expected = counts === null ? null : counts.addedFiles + counts.existingFiles + counts.deletedFiles;
  const complete = expected === null ? BigInt(length) >= manifest.length : entries === expected;
  if (complete) return;
  throw new FailedError('iceberg/incomplete-manifest', `${path} does not hold what its list says`, {
    remedy: 'Restore the file from a copy, or return the table to a snapshot that does not need it',
    data: { file: path, expected, found: entries },
  });
}

/** The row ids of its files follow from the list (version 3), so one manifest can mean two things. */
function manifestKey({ path, firstRowId }: ManifestEntry): string {
  return `${path} ${firstRowId ?? ''}`;
}

/** A manifest that a snapshot of version 1 names without a list. */
function bareManifest(path: string): ManifestEntry {
  return {
    path,
    length: 0n,
    specId: 0,
    content: 'data',
    sequenceNumber: 0n,
    minSequenceNumber: 0n,
    addedSnapshotId: 0n,
    counts: null,
    partitions: [],
  };
}

function once<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
