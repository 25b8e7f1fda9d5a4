import { closeSync, constants, fstatSync, openSync, readSync, read as readWith } from 'node:fs';
import { promisify } from 'node:util';
import { FailedError } from '../errors.ts';
import { notFound, unread } from './local-failures.ts';
import type { ByteRange } from './storage.ts';

/** Larger pieces are read by Node's pool of threads, so that this one goes on meanwhile. */
const LARGE = 1024 * 1024;
const readInPool = promisify(readWith);

/** A file's bytes, all or a part. */
export async function readFrom(path: string, range: ByteRange | undefined): Promise<Uint8Array> {
  const file = openFile(path);
  try {
    const { size } = fstatSync(file);
    const { offset, length } = range ?? { offset: 0, length: size };
    if (offset < 0 || length < 0 || offset + length > size) throw shortRead(path, { size, offset, length });
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      const left = length - filled;
      const count =
        left > LARGE
          ? (await readInPool(file, bytes, filled, left, offset + filled)).bytesRead
          : readSync(file, bytes, filled, left, offset + filled);
      if (count === 0) throw shortRead(path, { size: offset + filled, offset, length });
      filled += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** A folder and a pipe are no files; to open a pipe without `O_NONBLOCK` would wait for its writer. */
function openFile(path: string): number {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw unread(path, cause);
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notFound(path);
}

function shortRead(path: string, data: ByteRange & { readonly size: number }): FailedError {
  return new FailedError('storage/short-read', `${path} ends before the bytes that were asked for`, {
    remedy: 'The file is cut short, or what names it is wrong; restore it from a copy',
    data: { location: path, ...data },
  });
}
