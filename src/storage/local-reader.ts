import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file on this machine, open to be read piece by piece without waiting: for the readers that run in worker threads. */
export interface LocalReader {
  /** Length in bytes when it was opened. */
  readonly size: number;
  /** Bytes handed out so far. */
  readonly bytesRead: number;
  /** `length` bytes from `offset`, in memory of their own. Throws RangeError where the file ends before. */
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

/** Opens a local file; the caller closes it. */
export function openLocalFile(path: string): LocalReader {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  let bytesRead = 0;
  return {
    size,
    get bytesRead() {
      return bytesRead;
    },
    read: (offset, length) => {
      if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
        throw new RangeError('the file ends before the bytes that were asked for');
      }
      const bytes = new Uint8Array(length);
      for (let filled = 0; filled < length; ) {
        const count = readSync(file, bytes, filled, length - filled, offset + filled);
        if (count === 0) throw new RangeError('the file became shorter while it was read');
        filled += count;
      }
      bytesRead += length;
      return bytes;
    },
    close: () => closeSync(file),
  };
}
