import { closeSync, constants, readSync, read as readWith } from 'node:fs';
import { promisify } from 'node:util';
import { FailedError } from '../errors.ts';
import { failed, notFound, unread } from './local-failures.ts';
import { openRegular } from './local-open.ts';
import { errorCode } from './local-path.ts';
import type { ByteRange } from './storage.ts';

/** Larger pieces are read by Node's pool of threads, so that this one goes on meanwhile. */
const LARGE = 1024 * 1024;
const readInPool = promisify(readWith);

/** More than this no call of the system reads at once, and nothing asks for it but a size that is wrong. */
const MOST = 2 ** 31 - 1;

/** A file's bytes, all or a part. */
export async function readFrom(path: string, range: ByteRange | undefined): Promise<Uint8Array> {
  const { file, size } = openFile(path);
  try {
    const { offset, length, into }: ByteRange = range ?? { offset: 0, length: size };
    if (offset < 0 || length < 0 || offset + length > size) throw shortRead(path, { size, offset, length });
    if (length > MOST) throw failed('read', path, 'EFBIG');
    const bytes =
      into !== undefined && into.length >= length ? into.subarray(0, length) : new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      const left = bytes.subarray(filled);
      const count = await readSome(path, { file, bytes: left, offset: offset + filled });
      if (count === 0) throw shortRead(path, { size: offset + filled, offset, length });
      filled += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

interface Piece {
  readonly file: number;
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** How many bytes were read. */
async function readSome(path: string, { file, bytes, offset }: Piece): Promise<number> {
  try {
    if (bytes.length <= LARGE) return readSync(file, bytes, 0, bytes.length, offset);
    return (await readInPool(file, bytes, 0, bytes.length, offset)).bytesRead;
  } catch (cause) {
    throw failed('read', path, errorCode(cause));
  }
}

function openFile(path: string): { readonly file: number; readonly size: number } {
  let found: ReturnType<typeof openRegular>;
  try {
    found = openRegular(path, constants.O_RDONLY);
  } catch (cause) {
    throw unread(path, cause);
  }
  if (found === null) throw notFound(path);
  return { file: found.file, size: found.stats.size };
}

function shortRead(path: string, data: ByteRange & { readonly size: number }): FailedError {
  return new FailedError('storage/short-read', `${path} ends before the bytes that were asked for`, {
    remedy: 'The file is cut short, or what names it is wrong; restore it from a copy',
    data: { location: path, ...data },
  });
}
