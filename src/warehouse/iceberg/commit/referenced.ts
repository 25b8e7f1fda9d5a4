import { LetheError } from '../../../errors.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { SnapshotMetadata } from '../metadata/metadata.ts';
import type { TableReader } from '../read/table-reader.ts';

/** What {@link referencedFiles} needs. */
export interface Referencing {
  readonly reader: TableReader;
  readonly storage: Storage;
  readonly metadataFile: string;
}

/**
 * Every file that a state of a table names, in the storage's normal form: the metadata and its log, the hint, manifest lists,
 * manifests, data and delete files of all snapshots, statistics of both kinds. What the log names in a place that the storage does not take is left out.
 */
export async function referencedFiles({
  reader,
  storage,
  metadataFile,
}: Referencing): Promise<ReadonlySet<string>> {
  const { metadata } = reader;
  const files = new Set<string>();
  const add = (file: string): void => {
    files.add(storage.normalize(file));
  };
  // After a migration the log names files in a storage that is not opened here. None of them can be met here, and none is removed.
  const addOld = (file: string): void => {
    try {
      add(file);
    } catch (cause) {
      if (!(cause instanceof LetheError)) throw cause;
    }
  };
  add(metadataFile);
  for (const { file } of metadata.metadataLog) addOld(file);
  add(`${metadataFile.slice(0, metadataFile.lastIndexOf('/'))}/version-hint.text`);
  for await (const file of filesOfSnapshots(reader, metadata.snapshots)) add(file);
  return files;
}

/**
 * The files that snapshots need, each manifest's once: their lists, manifests, live data and delete files, and their statistics. The
 * paths of manifests join `seen`, and what is there already is passed over with all its files.
 */
export async function* filesOfSnapshots(
  reader: TableReader,
  snapshots: readonly SnapshotMetadata[],
  seen: Set<string> = new Set(),
): AsyncGenerator<string> {
  const { statistics, partitionStatistics } = reader.metadata;
  const ids = new Set(snapshots.map(({ id }) => id));
  for (const { snapshotId, path } of [...statistics, ...partitionStatistics])
    if (ids.has(snapshotId)) yield path;
  for (const snapshot of snapshots) {
    if (snapshot.manifestList !== null) yield snapshot.manifestList;
    for (const manifest of await reader.newManifests(snapshot, seen)) {
      yield manifest.path;
      yield* await reader.locations(manifest);
    }
  }
}
