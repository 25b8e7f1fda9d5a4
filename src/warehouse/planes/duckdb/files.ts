import type { PlaneFile, PlaneTable } from '../../data-plane.ts';
import { everyColumn } from './columns.ts';
import type { Context } from './context.ts';
import { hideRows } from './deletes/hidden-rows.ts';
import { fileError, mayBeAFile } from './errors.ts';
import { type CheckedFile, checkFiles } from './parquet/check.ts';
import { holdLocalFiles } from './parquet/local-files.ts';
import { partitionConstants } from './sql/constants.ts';
import { type LocalFile, relation } from './sql/relation.ts';
import { fileShape } from './sql/shape.ts';

/** A checked data file, at hand. */
export type OpenFile = CheckedFile & LocalFile & { readonly hiddenRows: bigint };

/** Some of the files of an operation, at hand at the same time. */
export interface FileGroup {
  readonly files: readonly OpenFile[];
  /** Whether these are all. */
  readonly all: boolean;
}

/**
 * Checks every file before anything is done with any, then holds their bytes on this machine and finds the rows that their delete
 * files hide: all at once where the storage lends its own files, else as many as their space allows. A group is released when the
 * next one is asked for, or the loop is left. Throws what {@link checkFiles} and {@link hideRows} throw.
 */
export async function* fileGroups(
  context: Context,
  table: PlaneTable,
  files: readonly PlaneFile[],
): AsyncGenerator<FileGroup> {
  const checked = await checkFiles(context.storage, table, files);
  const groups = grouped(context, checked);
  for (const group of groups) {
    const opened = await openGroup(context, table, group);
    try {
      yield { files: opened.files, all: groups.length === 1 };
    } finally {
      await opened.release();
    }
  }
}

/** Copies of a group take at most the space for them, or are of one file. */
function grouped(
  { storage, copiedBytes }: Context,
  files: readonly CheckedFile[],
): readonly (readonly CheckedFile[])[] {
  const groups: CheckedFile[][] = [];
  let left = 0;
  for (const file of files) {
    const size = storage.copies(file.location) ? Number(file.given.file.fileSize) : 0;
    if (groups.length === 0 || size > left) {
      groups.push([]);
      left = copiedBytes;
    }
    groups.at(-1)!.push(file);
    left -= size;
  }
  return groups;
}

interface OpenGroup {
  readonly files: readonly OpenFile[];
  release(): Promise<void>;
}

async function openGroup(
  context: Context,
  table: PlaneTable,
  checked: readonly CheckedFile[],
): Promise<OpenGroup> {
  const held = await holdLocalFiles(
    context.storage,
    checked.map(({ location }) => location),
  );
  const opened = checked.map((file, index) => ({
    ...file,
    path: held.paths[index]!,
    hiddenRows: 0n,
    constants: partitionConstants(table, file.given.file),
  }));
  try {
    const hidden = await hideRows(context, table, opened);
    if (hidden === null) return { files: opened, release: held.release };
    return {
      files: opened.map((file) => {
        const hiddenRows = hidden.counts.get(file.path) ?? 0n;
        return hiddenRows === 0n ? file : { ...file, hiddenRows, hidden: hidden.name };
      }),
      release: async () => {
        await hidden.release();
        await held.release();
      },
    };
  } catch (error) {
    await held.release();
    throw error;
  }
}

/** Files with all their rows, those that delete files hide too. */
export function withHiddenRows<T extends LocalFile>(files: readonly T[]): readonly Omit<T, 'hidden'>[] {
  return files.map(({ hidden: _, ...file }) => file);
}

/**
 * What to throw where a statement over several files failed: the file that cannot be read, if it is one; else `error`.
 */
export async function blame(
  { engine }: Context,
  table: PlaneTable,
  { files, error }: { readonly files: readonly LocalFile[]; readonly error: unknown },
): Promise<unknown> {
  if (!mayBeAFile(error)) return error;
  const counts = everyColumn(table.schema).map(({ sql }) => `count(${sql})`);
  for (const file of files) {
    const rows = relation(table.table, [file], fileShape(table.schema));
    const failure = await engine.session({ doing: 'reading', table: table.table }, (session) =>
      session.rows(`SELECT ${counts.join(', ')} FROM (${rows})`).then(
        () => null,
        (found: unknown) => found,
      ),
    );
    if (failure !== null && mayBeAFile(failure)) {
      const at = {
        table: table.table,
        file: file.location,
        why: 'its pages cannot be read as its footer says',
      };
      return fileError('file-damaged', at);
    }
  }
  return error;
}
