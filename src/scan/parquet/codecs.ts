import * as zlib from 'node:zlib';
import { snappyUncompressor } from 'hysnappy';
import { zstdBound } from '../../warehouse/iceberg/avro/zstd-bound.ts';
import { unpackHadoopLz4, unpackLz4 } from '../packed/lz4.ts';
import { Unread } from '../unread.ts';
import { openZstdWasm } from './zstd-wasm.ts';

/**
 * Unpacks one page to exactly `size` bytes, which stay as they are until the next page is unpacked in the same thread. Throws
 * {@link Unread}.
 */
export interface Unpack {
  (codec: string, packed: Uint8Array, size: number): Uint8Array;
  /** Unpacks all zstd frames of a file or blob to at most `most` bytes, in memory of their own. Throws {@link Unread}. */
  zstdFrames(packed: Uint8Array, most: number): Uint8Array;
}

/** No writer makes pages near this size; a header that claims more is damaged or a bomb. */
const LARGEST_PAGE = 1 << 29;

type UnpackSync = (bytes: Uint8Array, size: number) => Uint8Array;

let ready: Promise<Unpack> | undefined;

/** Prepares the decompressors, once for each thread. */
export function openCodecs(): Promise<Unpack> {
  ready ??= prepare();
  return ready;
}

async function prepare(): Promise<Unpack> {
  const wasm = await openZstdWasm();
  const tools = { zstd: nativeZstd() ?? wasm, snappy: snappyWhenNeeded() };
  const unpack = (codec: string, packed: Uint8Array, size: number): Uint8Array => {
    if (codec === 'UNCOMPRESSED') return exactly(packed, size);
    if (size === 0) return new Uint8Array(0);
    if (size > LARGEST_PAGE) throw new Unread('a page claims to unpack to more than 512 MiB');
    try {
      return exactly(unpackWith(codec, packed, { size, ...tools }), size);
    } catch (error) {
      if (error instanceof Unread) throw error;
      throw new Unread(`a page could not be unpacked (${codec})`);
    }
  };
  return Object.assign(unpack, { zstdFrames: framesBy(wasm) });
}

/** The runtime's own zstd would stop behind the first frame. */
function framesBy(zstd: UnpackSync): Unpack['zstdFrames'] {
  return (packed, most) => {
    try {
      const bound = zstdBound(packed);
      if (bound > most) throw new Unread(`it unpacks to more than ${most >> 20} MiB`);
      return zstd(packed, bound).slice();
    } catch (error) {
      if (error instanceof Unread) throw error;
      throw new Unread('its zstd data are damaged or cut short');
    }
  };
}

function unpackWith(
  codec: string,
  packed: Uint8Array,
  { size, zstd, snappy }: { readonly size: number; readonly zstd: UnpackSync; readonly snappy: UnpackSync },
): Uint8Array {
  switch (codec) {
    case 'ZSTD':
      return zstd(packed, size);
    case 'SNAPPY':
      return snappy(packed, size);
    case 'GZIP':
      return zlib.unzipSync(packed, inOnePiece(size));
    case 'BROTLI':
      return zlib.brotliDecompressSync(packed, inOnePiece(size));
    case 'LZ4':
      return unpackHadoopLz4(packed, size);
    case 'LZ4_RAW':
      return unpackLz4(packed, size);
    default:
      throw new Unread(`pages are packed with ${codec}, which cannot be read`);
  }
}

/** Room for all of the output at once, and one byte, so that nothing is asked for a second time; and never for more. */
function inOnePiece(size: number): { readonly maxOutputLength: number; readonly chunkSize: number } {
  return { maxOutputLength: size, chunkSize: Math.max(64, size + 1) };
}

/** The runtime's own zstd, where it has one (Node 22.15 and later). */
function nativeZstd(): UnpackSync | null {
  const native = (
    zlib as { readonly zstdDecompressSync?: (bytes: Uint8Array, options: object) => Uint8Array }
  ).zstdDecompressSync;
  return native === undefined ? null : (bytes, size) => native(bytes, inOnePiece(size));
}

/** Most files have no page in it, and making it takes milliseconds in each thread. */
function snappyWhenNeeded(): UnpackSync {
  let snappy: UnpackSync | undefined;
  return (bytes, size) => {
    snappy ??= openSnappy();
    return snappy(bytes, size);
  };
}

/** The library writes past what it is given room for, so the length that stands in front is compared first. */
function openSnappy(): UnpackSync {
  const snappy = snappyUncompressor();
  return (bytes, size) => {
    let length = 0;
    for (const [index, byte] of bytes.subarray(0, 5).entries()) {
      length += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) break;
    }
    if (length !== size) throw new RangeError('another length');
    return snappy(bytes, size);
  };
}

function exactly(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length !== size) throw new Unread('a page unpacks to another size than its header says');
  return bytes;
}
