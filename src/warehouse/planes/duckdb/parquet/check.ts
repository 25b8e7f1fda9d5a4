import { FailedError, LetheError } from '../../../../errors.ts';
import type { Storage } from '../../../../storage/storage.ts';
import type { PlaneFile, PlaneTable } from '../../../data-plane.ts';
import { fileError, refused } from '../errors.ts';
import { FileFault } from './file-fault.ts';
import { type Footer, readFooter } from './footer.ts';
import { mapNames, reservedNames } from './name-mapping.ts';

/** A data file whose footer was read and agrees with the metadata. */
export interface CheckedFile {
  readonly given: PlaneFile;
  readonly location: string;
  readonly footer: Footer;
}

/** Footers read at the same time. */
const AT_ONCE = 16;

/**
 * Opens every file's footer before anything is done with any of them, so that a bad one stops the work at its start.
 *
 * @throws FailedError `plane/file-gone`, `plane/file-damaged`, `plane/file-encrypted`, `plane/file-mismatch`
 * @throws RefusedError `plane/format`, and what {@link mapNames} throws
 */
export async function checkFiles(
  storage: Storage,
  table: PlaneTable,
  files: readonly PlaneFile[],
): Promise<readonly CheckedFile[]> {
  for (const file of files) refuseUnread(table.table, file);
  const checked: CheckedFile[] = [];
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const some = files.slice(start, start + AT_ONCE);
    checked.push(...(await Promise.all(some.map((given) => checkFile(storage, table, given)))));
  }
  return checked;
}

function refuseUnread(table: string, { file }: PlaneFile): void {
  if (file.format !== 'parquet') {
    throw refused(
      'format',
      `${kindOf(file)} ${file.location} of ${table} is ${file.format}, and DuckDB works on Parquet only`,
      'Rewrite the table as Parquet with the engine that wrote it',
      { table, file: file.location, format: file.format },
    );
  }
  if (file.keyMetadata !== undefined) {
    throw fileError('file-encrypted', { table, file: file.location, why: 'it is encrypted' });
  }
}

function kindOf({ content }: PlaneFile['file']): string {
  return content === 'data' ? 'Data file' : 'Delete file';
}

/** The footer with field ids, wherever they come from. */
function identified(table: PlaneTable, { file }: PlaneFile, footer: Footer): Footer {
  if (footer.fields.some(({ id }) => id !== null)) return footer;
  return file.content === 'position-deletes' ? reservedNames(footer) : mapNames(table, file.location, footer);
}

async function checkFile(storage: Storage, table: PlaneTable, given: PlaneFile): Promise<CheckedFile> {
  const { location, fileSize, recordCount } = given.file;
  const wrong = (code: 'file-gone' | 'file-damaged' | 'file-encrypted' | 'file-mismatch', why: string) =>
    fileError(code, { table: table.table, file: location, why });
  // Some writers get the size wrong, and the rows are all there: it tells only what is wrong with a file that cannot be read.
  let resized: string | undefined;
  try {
    const { size } = await storage.stat(location);
    if (BigInt(size) !== fileSize) resized = `it has ${size} bytes where the metadata says ${fileSize}`;
    const footer = await readFooter(storage, location, size);
    if (footer.rows !== recordCount) {
      throw wrong('file-mismatch', `it has ${footer.rows} rows where the metadata says ${recordCount}`);
    }
    return { given, location, footer: identified(table, given, footer) };
  } catch (error) {
    if (resized !== undefined && error instanceof FileFault) throw wrong('file-mismatch', resized);
    if (error instanceof FileFault) throw wrong(`file-${error.fault}`, error.why);
    if (error instanceof FailedError && error.code === 'storage/not-found')
      throw wrong('file-gone', 'it is gone');
    if (error instanceof LetheError) throw error;
    throw wrong('file-damaged', 'it cannot be read');
  }
}
