import { LetheError } from '../errors.ts';
import type { Predicate } from '../predicate/predicate.ts';
import type { Storage } from '../storage/storage.ts';
import type { SelectedFile, TableState } from './table-format.ts';

/**
 * The data files of every snapshot that is left, each once and without its delete files, so that what is hidden is there: what
 * somebody was called before a change, and the row that was deleted last week. An older file that is gone holds nothing; one of
 * the current snapshot must be there.
 */
export async function filesEver(
  state: TableState,
  storage: Storage,
  where: Predicate | undefined,
): Promise<readonly SelectedFile[]> {
  const selection = where === undefined ? {} : { where };
  const { snapshots, currentSnapshotId } = state.loaded.metadata;
  const files = new Map<string, SelectedFile>();
  const add = (file: SelectedFile): void =>
    void files.set(storage.normalize(file.file.location), { ...file, deletes: [] });
  for (const file of await state.files(selection)) add(file);
  for (const { id } of snapshots) {
    if (id === currentSnapshotId) continue;
    for (const file of await state.files({ ...selection, snapshotId: id })) {
      if (!files.has(storage.normalize(file.file.location)) && (await isThere(storage, file.file.location)))
        add(file);
    }
  }
  return [...files.values()];
}

async function isThere(storage: Storage, file: string): Promise<boolean> {
  try {
    await storage.stat(file);
    return true;
  } catch (cause) {
    if (cause instanceof LetheError && cause.code === 'storage/not-found') return false;
    throw cause;
  }
}
