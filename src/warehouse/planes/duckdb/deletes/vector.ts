import type { DataFile } from '../../../data-file.ts';
import { deletionVector } from '../../../iceberg/deletes/deletion-vector.ts';
import { appendRows } from '../append-rows.ts';
import { fileError } from '../errors.ts';
import type { OpenFile } from '../files.ts';
import { deletesOf, type Hiding } from './open-deletes.ts';

/** Hides the rows whose positions deletion vectors hold. A vector is checked whole before any of it is used. */
export async function hideByVector(
  { context, session, table, name }: Hiding,
  files: readonly OpenFile[],
): Promise<void> {
  for (const file of files) {
    for (const vector of deletesOf(file, 'deletion-vectors')) {
      const { location, recordCount } = vector;
      const wrong = (why: string): Error =>
        fileError('file-damaged', { table: table.table, file: location, why });
      const blob = await context.storage.read(location, range(vector, wrong)).catch((cause: unknown) => {
        throw (cause as { readonly code?: string }).code === 'storage/not-found'
          ? fileError('file-gone', { table: table.table, file: location, why: 'it is gone' })
          : cause;
      });
      try {
        let cardinality = 0;
        for (const positions of deletionVector(blob)) {
          cardinality += positions.length;
          if (positions.at(-1)! >= file.footer.rows)
            throw new RangeError('a position is beyond the last row');
          await appendRows(
            session,
            name,
            positions.map((position) => [file.path, position]),
          );
        }
        if (BigInt(cardinality) !== recordCount)
          throw new RangeError(`it holds ${cardinality} positions where the metadata says ${recordCount}`);
      } catch (cause) {
        if (cause instanceof RangeError) throw wrong(cause.message);
        throw cause;
      }
    }
  }
}

/** No vector comes near this; a larger one is a bomb or damage. */
const LARGEST = 2n ** 31n;

function range(
  { contentOffset, contentSize }: DataFile,
  wrong: (why: string) => Error,
): { readonly offset: number; readonly length: number } {
  if (contentOffset === undefined || contentSize === undefined || contentOffset < 0n || contentSize > LARGEST)
    throw wrong('its manifest does not say where in the file the vector is');
  return { offset: Number(contentOffset), length: Number(contentSize) };
}
