import { always } from '../predicate/index.ts';
import type { Predicate } from '../predicate/predicate.ts';
import type { Storage } from '../storage/storage.ts';
import { type DataFile, deleteKind, fileKey } from './data-file.ts';
import type { DataPlane } from './data-plane.ts';
import type { SelectedFile, TableState } from './table-format.ts';

/**
 * The data files that keep a delete file alive which may hold values of a row for which `where` is true: an equality delete keeps
 * the values that it deletes, and some writers keep whole rows in position deletes. Once these files are written again, nothing needs it.
 */
export async function deleteKeepers(
  state: TableState,
  plane: DataPlane,
  where: Predicate,
): Promise<readonly SelectedFile[]> {
  const deletes = await state.deleteFiles();
  const withValues = deletes.filter((file) => deleteKind(file) !== 'deletion-vectors');
  if (withValues.length === 0) return [];
  state.assertRewritable(withValues, plane.capabilities);
  const inspected = await plane.inspectDeletes(state.planeTable(), withValues, where);
  const holding = new Set(inspected.filter(({ mayHold }) => mayHold).map(({ file }) => fileKey(file)));
  if (holding.size === 0) return [];
  const files = await state.files({});
  return files.filter((file) => file.deletes.some((by) => holding.has(fileKey(by))));
}

/**
 * The data files whose deletion vector shares a Puffin file with that of a file at the locations `removed`: its footer names the
 * data file of each vector, and stays as long as one of them is needed. Once these are written again, it goes.
 */
export async function vectorNeighbours(
  state: TableState,
  removed: ReadonlySet<string>,
): Promise<readonly SelectedFile[]> {
  if (removed.size === 0 || (await state.deleteFiles()).length === 0) return [];
  const files = await state.files({});
  const puffins = ({ deletes }: SelectedFile): readonly string[] =>
    deletes.filter((by) => deleteKind(by) === 'deletion-vectors').map(({ location }) => location);
  const shared = new Set(files.filter(({ file }) => removed.has(file.location)).flatMap(puffins));
  return files.filter(
    (file) => !removed.has(file.file.location) && puffins(file).some((at) => shared.has(at)),
  );
}

/** The delete files that apply to no data file once those at the locations `removed` are gone. */
export async function looseDeletes(
  state: TableState,
  { plane, storage }: { readonly plane: DataPlane; readonly storage: Storage },
  removed: ReadonlySet<string>,
): Promise<readonly DataFile[]> {
  const deletes = await state.deleteFiles();
  if (deletes.length === 0) return [];
  const needed = new Map<string, DataFile>();
  const served = new Set<string>();
  const left = new Set<string>();
  for (const { file, deletes } of await state.files({})) {
    if (removed.has(file.location)) for (const by of deletes) served.add(fileKey(by));
    else {
      for (const by of deletes) needed.set(fileKey(by), by);
      left.add(storage.normalize(file.location));
    }
  }
  // One of a whole partition is needed only while a file that it names is there; it is looked into where one of its files goes.
  const positions = [...needed.values()].filter(
    (file) => deleteKind(file) === 'position-deletes' && served.has(fileKey(file)),
  );
  for (const { file, names } of await inspect(state, plane, positions)) {
    if (![...names].some((name) => left.has(name))) needed.delete(fileKey(file));
  }
  return deletes.filter((file) => !needed.has(fileKey(file)));
}

async function inspect(
  state: TableState,
  plane: DataPlane,
  files: readonly DataFile[],
): ReturnType<DataPlane['inspectDeletes']> {
  return files.length === 0 ? [] : plane.inspectDeletes(state.planeTable(), files, always());
}
