import { Unread } from '../unread.ts';
import { lz4Block } from './lz4.ts';

const MAGIC = 0x184d2204;
const FLAG = { version: 0xc0, blockSums: 0x10, size: 0x08, sum: 0x04, dictionary: 0x01 } as const;
const BLOCK_SIZES: Readonly<Record<number, number>> = { 4: 1 << 16, 5: 1 << 18, 6: 1 << 20, 7: 1 << 22 };
const PLAIN = 0x8000_0000;

/**
 * Unpacks LZ4 frames, one behind the other, to at most `most` bytes: as command-line tools write files, and Puffin its footers and
 * blobs. Checksums are not compared; sizes are. Throws {@link Unread}.
 */
export function unpackLz4Frames(packed: Uint8Array, most: number): Uint8Array {
  try {
    const frames: Uint8Array[] = [];
    let left = most;
    for (let at = 0; at < packed.length; ) {
      const frame = unpackFrame(packed, at, left);
      frames.push(frame.bytes);
      left -= frame.bytes.length;
      at = frame.end;
    }
    return frames.length === 1 ? frames[0]! : Buffer.concat(frames);
  } catch (error) {
    if (error instanceof Unread) throw error;
    throw new Unread('its LZ4 data are damaged or cut short');
  }
}

/** Reading past the end throws RangeError. */
function unpackFrame(
  packed: Uint8Array,
  start: number,
  most: number,
): { readonly bytes: Uint8Array; readonly end: number } {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (view.getUint32(start, true) !== MAGIC) throw new Unread('it holds something behind its LZ4 data');
  const flags = view.getUint8(start + 4);
  const blockSize = BLOCK_SIZES[(view.getUint8(start + 5) >> 4) & 7];
  if ((flags & FLAG.version) !== 0x40 || blockSize === undefined || (flags & FLAG.dictionary) !== 0)
    throw new Unread('its LZ4 data are of a kind that cannot be read');
  let at = start + 6;
  const size = (flags & FLAG.size) === 0 ? null : Number(view.getBigUint64(at, true));
  if (size !== null) at += 8;
  at += 1;
  const into = new Output(size, { blockSize, most });
  for (let length = view.getUint32(at, true); length !== 0; length = view.getUint32(at, true)) {
    at += 4;
    const there = length & ~PLAIN;
    if (at + there > packed.length) throw new RangeError('a block is cut short');
    into.block(packed.subarray(at, at + there), length >= PLAIN);
    at += there + ((flags & FLAG.blockSums) === 0 ? 0 : 4);
  }
  at += 4 + ((flags & FLAG.sum) === 0 ? 0 : 4);
  const bytes = into.bytes;
  if (at > packed.length || (size !== null && size !== bytes.length)) throw new RangeError('another size');
  return { bytes, end: at };
}

/** Unpacked bytes that grow block by block; matches may reach back over all of them. */
class Output {
  readonly #blockSize: number;
  readonly #most: number;
  #into: Uint8Array;
  #filled = 0;

  constructor(
    size: number | null,
    { blockSize, most }: { readonly blockSize: number; readonly most: number },
  ) {
    if (size !== null && size > most) throw tooLarge(most);
    this.#blockSize = blockSize;
    this.#most = most;
    this.#into = new Uint8Array(size ?? blockSize);
  }

  get bytes(): Uint8Array {
    return this.#into.subarray(0, this.#filled);
  }

  block(packed: Uint8Array, isPlain: boolean): void {
    const room = Math.min(this.#filled + this.#blockSize, this.#most);
    if (room > this.#into.length) {
      const larger = new Uint8Array(Math.min(this.#most, Math.max(room, this.#into.length * 2)));
      larger.set(this.bytes);
      this.#into = larger;
    }
    if (isPlain) {
      if (this.#filled + packed.length > this.#into.length) throw tooLarge(this.#most);
      this.#into.set(packed, this.#filled);
      this.#filled += packed.length;
    } else {
      const end = Math.min(this.#into.length, this.#filled + this.#blockSize);
      this.#filled = lz4Block(packed, this.#into.subarray(0, end), this.#filled);
    }
  }
}

function tooLarge(most: number): Unread {
  return new Unread(`it unpacks to more than ${most >> 20} MiB`);
}
