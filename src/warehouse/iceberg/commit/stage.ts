import type { Storage } from '../../../storage/storage.ts';
import type { Clock, Random } from '../../../values/time.ts';
import { type DataFile, fileKey } from '../../data-file.ts';
import type { RowChange, StagedSnapshot } from '../../table-format.ts';
import type { FileEntry } from '../manifest/manifest.ts';
import { type ManifestEntry, writeManifestList } from '../manifest/manifest-list.ts';
import { type NewEntry, writeManifest } from '../manifest/manifest-writer.ts';
import { snapshotAt, type TableMetadata } from '../metadata/metadata.ts';
import type { Requirement } from '../metadata/updates.ts';
import type { TableReader } from '../read/table-reader.ts';
import type { Attempt } from './attempt.ts';
import { operationOf, type SnapshotWork, summaryOf } from './summary.ts';

/** What staging a snapshot needs besides the work itself. */
export interface StageContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly reader: TableReader;
  readonly attempt: Attempt;
}

/**
 * Writes the manifests of a snapshot that adds data files and removes data and delete files. Only manifests that hold a removed file are written
 * again; entries that earlier commits deleted are left behind there.
 */
export async function stageRows(context: StageContext, change: RowChange): Promise<StagedSnapshot> {
  const { reader } = context;
  const writer = new SnapshotWriter(context);
  const kept: ManifestEntry[] = [];
  const removed: DataFile[] = [];
  let replaced = 0;
  const snapshot = snapshotAt(reader.metadata);
  const holders = await reader.holders(snapshot, change.removed);
  for (const manifest of await reader.manifests(snapshot)) {
    if (!holders.has(manifest) && isListed(manifest)) kept.push(manifest);
    else {
      replaced += 1;
      const entries = rewritten(await reader.entries(manifest), change.removed, writer.snapshotId);
      removed.push(...entries.filter(({ status }) => status === 'deleted').map(({ file }) => file));
      await writer.manifest(manifest.specId, manifest.content, entries);
    }
  }
  for (const files of byManifest(change.added)) {
    const [{ specId, content }] = files;
    await writer.manifest(
      specId,
      content === 'data' ? 'data' : 'deletes',
      files.map((file) => writer.added(file)),
    );
  }
  return writer.finish({
    operation: operationOf(change.added.length, removed.length),
    added: change.added,
    removed,
    kept,
    replaced,
    note: change.note,
  });
}

/** Old snapshots of version 1 name manifests without saying anything of them: these are written again, to be listed. */
function isListed({ length }: ManifestEntry): boolean {
  return length > 0n;
}

function rewritten(
  entries: readonly FileEntry[],
  removed: ReadonlySet<string>,
  snapshotId: bigint,
): readonly NewEntry[] {
  return entries
    .filter(({ status }) => status !== 'deleted')
    .map((entry) =>
      removed.has(fileKey(entry.file))
        ? { ...entry, status: 'deleted', snapshotId }
        : { ...entry, status: 'existing' },
    );
}

/** A manifest holds files of one spec, and either data or deletes. */
function byManifest(files: readonly DataFile[]): Iterable<readonly [DataFile, ...DataFile[]]> {
  const manifests = new Map<string, [DataFile, ...DataFile[]]>();
  for (const file of files) {
    const key = `${file.specId} ${file.content === 'data'}`;
    const found = manifests.get(key);
    if (found === undefined) manifests.set(key, [file]);
    else found.push(file);
  }
  return manifests.values();
}

/** Gives row ids to the data manifests that have none yet (version 3, row lineage): each takes as many as it has live rows. */
function numbered(
  manifests: readonly ManifestEntry[],
  firstRowId: bigint,
): { readonly manifests: readonly ManifestEntry[]; readonly next: bigint } {
  let next = firstRowId;
  const all = manifests.map((manifest) => {
    const { content, counts } = manifest;
    if (content !== 'data' || manifest.firstRowId !== undefined || counts === null) return manifest;
    const own = next;
    next += counts.addedRows + counts.existingRows;
    return { ...manifest, firstRowId: own };
  });
  return { manifests: all, next };
}

/** Writes the manifests and the list of one new snapshot on main. */
export class SnapshotWriter {
  readonly snapshotId: bigint;
  readonly #context: StageContext;
  readonly #metadata: TableMetadata;
  readonly #sequenceNumber: bigint;
  readonly #written: ManifestEntry[] = [];

  constructor(context: StageContext) {
    this.#context = context;
    this.#metadata = context.reader.metadata;
    this.#sequenceNumber = this.#metadata.formatVersion === 1 ? 0n : this.#metadata.lastSequenceNumber + 1n;
    this.snapshotId = newSnapshotId(this.#metadata, context.random);
  }

  added(file: DataFile): NewEntry {
    return { status: 'added', snapshotId: this.snapshotId, file };
  }

  /** Writes one manifest. */
  async manifest(specId: number, content: 'data' | 'deletes', entries: readonly NewEntry[]): Promise<void> {
    const { storage, attempt, reader, random } = this.#context;
    const path = attempt.manifest();
    const { bytes, entry } = writeManifest({
      path,
      content,
      spec: reader.spec(specId),
      schemas: reader.schemas,
      entries,
      snapshotId: this.snapshotId,
      sequenceNumber: this.#sequenceNumber,
      formatVersion: this.#metadata.formatVersion,
      sync: random.bytes(16),
    });
    // Its name is on disk with that of the manifest list, which is written after it into the same folder.
    await storage.writeIfAbsent(path, bytes, 'content');
    this.#written.push(entry);
  }

  /** Writes the manifest list and says what to commit. */
  async finish(work: FinishedWork): Promise<StagedSnapshot> {
    const { storage, attempt, random, clock } = this.#context;
    const metadata = this.#metadata;
    const parent = snapshotAt(metadata);
    const { formatVersion } = metadata;
    const path = attempt.manifestList(this.snapshotId);
    const listed = [...this.#written, ...work.kept];
    const firstRowId = metadata.nextRowId;
    const { manifests, next } =
      firstRowId === null ? { manifests: listed, next: 0n } : numbered(listed, firstRowId);
    const bytes = writeManifestList({
      snapshotId: this.snapshotId,
      parentId: parent?.id ?? null,
      sequenceNumber: this.#sequenceNumber,
      manifests,
      formatVersion,
      sync: random.bytes(16),
    });
    await storage.writeIfAbsent(path, bytes);
    const summary = summaryOf(parent, {
      ...work,
      manifests: { created: this.#written.length, kept: work.kept.length, replaced: work.replaced },
    });
    const snapshot = {
      'snapshot-id': this.snapshotId,
      ...(parent === null ? {} : { 'parent-snapshot-id': parent.id }),
      ...(formatVersion === 1 ? {} : { 'sequence-number': this.#sequenceNumber }),
      'timestamp-ms': Math.max(clock.now(), metadata.lastUpdated),
      summary,
      'manifest-list': path,
      'schema-id': metadata.schema.id,
      ...(firstRowId === null ? {} : { 'first-row-id': firstRowId, 'added-rows': next - firstRowId }),
    };
    return {
      snapshotId: this.snapshotId,
      requirements: mainUnchanged(metadata),
      updates: [
        { action: 'add-snapshot', snapshot },
        { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': this.snapshotId },
      ],
    };
  }
}

interface FinishedWork extends Omit<SnapshotWork, 'manifests'> {
  readonly kept: readonly ManifestEntry[];
  readonly replaced: number;
}

/** The table is the same one and nobody committed to main since. */
export function mainUnchanged(metadata: TableMetadata): readonly Requirement[] {
  return [
    { type: 'assert-table-uuid', uuid: metadata.uuid },
    { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': metadata.currentSnapshotId },
  ];
}

/** A positive 63-bit number that no snapshot of the table has. */
function newSnapshotId(metadata: TableMetadata, random: Random): bigint {
  for (;;) {
    const bytes = random.bytes(8);
    const id = BigInt.asUintN(63, new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0));
    if (id !== 0n && !metadata.snapshots.some((snapshot) => snapshot.id === id)) return id;
  }
}
