import * as zlib from 'node:zlib';
import { decompressLz4, decompressLz4Raw, decompressSnappy } from 'hyparquet-compressors';
import { ZSTDDecoder } from 'zstddec';
import { Unread } from '../unread.ts';

/** Unpacks one page to exactly `size` bytes. Throws {@link Unread}. */
export type Unpack = (codec: string, packed: Uint8Array, size: number) => Uint8Array;

/** No writer makes pages near this size; a header that claims more is damaged or a bomb. */
const LARGEST_PAGE = 1 << 29;

type ZstdSync = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

let ready: Promise<Unpack> | undefined;

/** Prepares the decompressors, once for each thread. */
export function openCodecs(): Promise<Unpack> {
  ready ??= prepare();
  return ready;
}

async function prepare(): Promise<Unpack> {
  const zstd = await zstdDecoder();
  return (codec, packed, size) => {
    if (codec === 'UNCOMPRESSED') return exactly(packed, size);
    if (size === 0) return new Uint8Array(0);
    if (size > LARGEST_PAGE) throw new Unread('a page claims to unpack to more than 512 MiB');
    try {
      return exactly(unpackWith(codec, packed, size, zstd), size);
    } catch (error) {
      if (error instanceof Unread) throw error;
      throw new Unread(`a page could not be unpacked (${codec})`);
    }
  };
}

function unpackWith(codec: string, packed: Uint8Array, size: number, zstd: ZstdSync): Uint8Array {
  const options = { maxOutputLength: size };
  switch (codec) {
    case 'ZSTD':
      return zstd(packed, options);
    case 'SNAPPY':
      return decompressSnappy(packed, size);
    case 'GZIP':
      return zlib.unzipSync(packed, options);
    case 'BROTLI':
      return zlib.brotliDecompressSync(packed, options);
    case 'LZ4':
      return decompressLz4(packed, size);
    case 'LZ4_RAW':
      return decompressLz4Raw(packed, size);
    default:
      throw new Unread(`pages are packed with ${codec}, which cannot be read`);
  }
}

/** The runtime's own zstd where it has one (Node 22.15 and later), else WebAssembly. */
async function zstdDecoder(): Promise<ZstdSync> {
  const native = (zlib as { readonly zstdDecompressSync?: ZstdSync }).zstdDecompressSync;
  if (native !== undefined) return native;
  const decoder = new ZSTDDecoder();
  await decoder.init();
  return (bytes, { maxOutputLength }) => decoder.decode(bytes, maxOutputLength);
}

function exactly(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length !== size) throw new Unread('a page unpacks to another size than its header says');
  return bytes;
}
