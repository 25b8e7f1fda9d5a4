import type { DataFile } from '../../../data-file.ts';
import { type DeleteKind, deleteKind } from '../../../data-file.ts';
import type { PlaneFile, PlaneTable } from '../../../data-plane.ts';
import type { Context } from '../context.ts';
import type { Session } from '../engine.ts';
import { refused } from '../errors.ts';
import { type CheckedFile, checkFiles } from '../parquet/check.ts';
import { holdLocalFiles } from '../parquet/local-files.ts';
import type { LocalFile } from '../sql/relation.ts';

/** The reserved field ids of a position delete file. */
export const PATH_ID = 2147483546;
export const POSITION_ID = 2147483545;

/** A delete file in Parquet, at hand. */
export interface OpenDelete extends LocalFile {
  readonly file: DataFile;
}

/** The delete files of some data files, each opened once. */
export interface OpenDeletes {
  /** By its location. Deletion vectors are not opened here. */
  readonly files: ReadonlyMap<string, OpenDelete>;
  release(): Promise<void>;
}

/** What fills a table of hidden rows. */
export interface Hiding {
  readonly context: Context;
  readonly session: Session;
  readonly table: PlaneTable;
  /** The table that is filled. */
  readonly name: string;
  readonly deletes: OpenDeletes;
}

/**
 * Opens the Parquet delete files of data files. Throws what {@link checkFiles} throws.
 *
 * @throws RefusedError `plane/delete-columns` for a position delete file that lacks the columns of one
 */
export async function openDeletes(
  { storage }: Context,
  table: PlaneTable,
  files: readonly { readonly given: PlaneFile }[],
): Promise<OpenDeletes> {
  const found = new Map<string, PlaneFile>();
  for (const { given } of files) {
    for (const file of given.deletes) {
      if (deleteKind(file) !== 'deletion-vectors') found.set(file.location, { file, deletes: [] });
    }
  }
  const checked = await checkFiles(storage, table, [...found.values()]);
  for (const file of checked) refuseWithoutPositions(table, file);
  const held = await holdLocalFiles(
    storage,
    checked.map(({ location }) => location),
  );
  const opened = checked.map(({ given, location, footer }, index): [string, OpenDelete] => [
    location,
    { file: given.file, location, footer, path: held.paths[index]! },
  ]);
  return { files: new Map(opened), release: held.release };
}

/** Read as nulls they would hide no row, and deleted rows would come back. */
function refuseWithoutPositions({ table }: PlaneTable, { given: { file }, footer }: CheckedFile): void {
  if (file.content !== 'position-deletes') return;
  const has = (wanted: number): boolean => footer.fields.some(({ id }) => id === wanted);
  if (has(PATH_ID) && has(POSITION_ID)) return;
  throw refused(
    'delete-columns',
    `Position delete file ${file.location} of ${table} lacks the columns file_path and pos`,
    'Compact the table with the engine that wrote it',
    { table, file: file.location },
  );
}

/** The delete files of a kind that a data file comes with. */
export function deletesOf({ given }: { readonly given: PlaneFile }, kind: DeleteKind): readonly DataFile[] {
  return given.deletes.filter((file) => deleteKind(file) === kind);
}
