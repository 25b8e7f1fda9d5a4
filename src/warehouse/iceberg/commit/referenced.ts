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
 * manifests, data and delete files of all snapshots, statistics of both kinds.
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
  add(metadataFile);
  for (const { file } of metadata.metadataLog) add(file);
  add(`${metadataFile.slice(0, metadataFile.lastIndexOf('/'))}/version-hint.text`);
  for (const snapshot of metadata.snapshots) {
    for (const file of await filesOfSnapshot(reader, snapshot)) add(file);
  }
  return files;
}

/** The files a snapshot needs: its list, manifests, live data and delete files, and its statistics. */
export async function filesOfSnapshot(
  reader: TableReader,
  snapshot: SnapshotMetadata,
): Promise<readonly string[]> {
  const { statistics, partitionStatistics } = reader.metadata;
  const files = [...statistics, ...partitionStatistics]
    .filter(({ snapshotId }) => snapshotId === snapshot.id)
    .map(({ path }) => path);
  if (snapshot.manifestList !== null) files.push(snapshot.manifestList);
  for (const manifest of await reader.manifests(snapshot)) {
    files.push(manifest.path);
    for (const { status, file } of await reader.entries(manifest)) {
      if (status !== 'deleted') files.push(file.location);
    }
  }
  return files;
}
