import { FailedError } from '../../../errors.ts';
import type { PlaneFile, PlaneTable } from '../../data-plane.ts';
import { everyColumn } from './columns.ts';
import type { Context } from './context.ts';
import { fileError } from './errors.ts';
import { type CheckedFile, checkFiles } from './parquet/check.ts';
import { holdLocalFiles } from './parquet/local-files.ts';
import { type LocalFile, relation } from './sql/relation.ts';
import { fileShape } from './sql/shape.ts';

/** A checked data file, at hand. */
export type OpenFile = CheckedFile & LocalFile;

/** Checked data files, held until they are released. */
export interface OpenFiles {
  readonly files: readonly OpenFile[];
  release(): Promise<void>;
}

/** Checks every file and holds its bytes on this machine. Throws what {@link checkFiles} throws. */
export async function openFiles(
  { storage }: Context,
  table: PlaneTable,
  files: readonly PlaneFile[],
): Promise<OpenFiles> {
  const checked = await checkFiles(storage, table.table, files);
  const held = await holdLocalFiles(
    storage,
    checked.map(({ location }) => location),
  );
  return {
    files: checked.map((file, index) => ({ ...file, path: held.paths[index]! })),
    release: held.release,
  };
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

/** A full memory or an interrupt says nothing about the files. */
function mayBeAFile(error: unknown): boolean {
  if (!(error instanceof FailedError) || error.code !== 'plane/duckdb') return false;
  return error.data.kind !== 'Out of Memory' && error.data.kind !== 'INTERRUPT';
}
