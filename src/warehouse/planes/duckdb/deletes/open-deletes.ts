import type { PlaneFile, PlaneTable } from '../../../data-plane.ts';
import type { DataFile } from '../../../iceberg/manifest/data-file.ts';
import { type DeleteKind, deleteKind } from '../../../iceberg/read/delete-scope.ts';
import type { Context } from '../context.ts';
import type { Session } from '../engine.ts';
import { checkFiles } from '../parquet/check.ts';
import { holdLocalFiles } from '../parquet/local-files.ts';
import type { LocalFile } from '../sql/relation.ts';

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

/** Opens the Parquet delete files of data files. Throws what {@link checkFiles} throws. */
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

/** The delete files of a kind that a data file comes with. */
export function deletesOf({ given }: { readonly given: PlaneFile }, kind: DeleteKind): readonly DataFile[] {
  return given.deletes.filter((file) => deleteKind(file) === kind);
}
