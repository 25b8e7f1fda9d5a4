import { type DataFile, deleteKind } from '../../data-file.ts';
import type { PartitionSpec } from '../../partition-spec.ts';
import type { FileEntry } from '../manifest/manifest.ts';

/** Field id of a position delete file's `file_path`. */
const FILE_PATH_ID = 2147483546;

/**
 * Finds the delete files that apply to a data file (specification, scan planning). A deletion vector applies to the file that
 * it names and replaces position deletes there; position deletes apply to files of their partition that are not younger;
 * equality deletes to files of their partition, or of all where their spec has no fields, that are older.
 */
export function deleteScope(
  deletes: readonly FileEntry[],
  specs: readonly PartitionSpec[],
): (data: FileEntry) => readonly DataFile[] {
  if (deletes.length === 0) return () => [];
  const unpartitioned = new Set(specs.filter(({ fields }) => fields.length === 0).map(({ id }) => id));
  const byPartition = new Map<string, FileEntry[]>();
  const everywhere: FileEntry[] = [];
  for (const entry of deletes) {
    const { file } = entry;
    if (file.content === 'equality-deletes' && unpartitioned.has(file.specId)) everywhere.push(entry);
    else {
      const key = partitionKey(file);
      byPartition.set(key, [...(byPartition.get(key) ?? []), entry]);
    }
  }
  return (data) => {
    const near = [...(byPartition.get(partitionKey(data.file)) ?? []), ...everywhere];
    const applying = near.filter((entry) => applies(entry, data)).map(({ file }) => file);
    const hasVector = applying.some((file) => deleteKind(file) === 'deletion-vectors');
    return hasVector ? applying.filter((file) => deleteKind(file) !== 'position-deletes') : applying;
  };
}

function applies({ file, sequenceNumber }: FileEntry, data: FileEntry): boolean {
  if (file.content === 'equality-deletes') return data.sequenceNumber < sequenceNumber;
  if (data.sequenceNumber > sequenceNumber) return false;
  const only = file.referencedDataFile ?? onlyPath(file);
  return only === undefined || only === data.file.location;
}

/** A position delete file whose bounds of `file_path` are equal names one data file. */
function onlyPath({ metrics }: DataFile): string | undefined {
  const lower = metrics.lowerBounds.get(FILE_PATH_ID);
  const upper = metrics.upperBounds.get(FILE_PATH_ID);
  if (lower === undefined || upper === undefined) return undefined;
  const text = new TextDecoder();
  const path = text.decode(lower);
  return path === text.decode(upper) ? path : undefined;
}

/** Equal for files of one spec and partition. */
export function partitionKey({ specId, partition }: DataFile): string {
  return JSON.stringify([
    specId,
    partition.map((value) => (value === null ? null : [value.type, value.value])),
  ]);
}
