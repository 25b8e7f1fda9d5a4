import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file on this machine, open to be read piece by piece without waiting: for the readers that run in worker threads. */
export interface LocalReader {
  /** Length in bytes when it was opened. */
  readonly size: number;
  /** Bytes handed out so far. */
  readonly bytesRead: number;
  /** `length` bytes from `offset`, in memory of their own. Throws RangeError where the file ends before. */
  read(offset: number, length: number): Uint8Array;
  /** Fills `bytes` from `offset`, for readers that use their memory again. Throws RangeError where the file ends before. */
  readInto(bytes: Uint8Array, offset: number): void;
  close(): void;
}

/** Opens a local file; the caller closes it. */
export function openLocalFile(path: string): LocalReader {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  let bytesRead = 0;
  const readInto = (bytes: Uint8Array, offset: number): void => {
    checkRange(offset, bytes.length, size);
    for (let filled = 0; filled < bytes.length; ) {
      const count = readSync(file, bytes, filled, bytes.length - filled, offset + filled);
      if (count === 0) throw new RangeError('the file became shorter while it was read');
      filled += count;
    }
    bytesRead += bytes.length;
  };
  return {
    size,
    get bytesRead() {
      return bytesRead;
    },
    read: (offset, length) => {
      checkRange(offset, length, size);
      const bytes = new Uint8Array(length);
      readInto(bytes, offset);
      return bytes;
    },
    readInto,
    close: () => closeSync(file),
  };
}

/** Before any memory is taken for it. */
function checkRange(offset: number, length: number, size: number): void {
  if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
    throw new RangeError('the file ends before the bytes that were asked for');
  }
}
