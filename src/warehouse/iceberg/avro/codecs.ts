import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { decompress as decompressZstd } from 'fzstd';
import { snappyUncompress } from 'hysnappy';
import { damagedAvro } from './schema.ts';
import { zstdBound } from './zstd-bound.ts';

/** The codecs that Lethe writes; it reads snappy and zstandard too. */
export type AvroCodec = 'null' | 'deflate';

/** No block of Iceberg's metadata comes near this; writers cut them at some 64 KiB. A larger one is a bomb or damage. */
const LARGEST_BLOCK = 256 * 1024 * 1024;

/** Packs one block. */
export function compressBlock(codec: AvroCodec, block: Uint8Array): Uint8Array {
  return codec === 'deflate' ? deflateRawSync(block) : block;
}

/**
 * Unpacks one block, and never to more than 256 MiB.
 *
 * @throws FailedError `iceberg/damaged-avro` for an unknown codec and for bytes that are not of the codec
 */
export function decompressBlock(file: string, codec: string, block: Uint8Array): Uint8Array {
  try {
    switch (codec) {
      case 'null':
        return block;
      case 'deflate':
        return inflateRawSync(block, { maxOutputLength: LARGEST_BLOCK });
      case 'snappy':
        return snappy(block);
      case 'zstandard':
        return zstandard(block);
    }
  } catch (cause) {
    throw damagedAvro(file, `a block is not ${codec}, or larger than 256 MiB`, cause);
  }
  throw damagedAvro(file, `the codec is none of null, deflate, snappy and zstandard`);
}

/** Avro appends the CRC-32 of the plain bytes, big-endian, to each snappy block. */
function snappy(block: Uint8Array): Uint8Array {
  const packed = block.subarray(0, -4);
  const plain = snappyUncompress(packed, within(snappyLength(packed)));
  const check = new DataView(block.buffer, block.byteOffset + block.byteLength - 4, 4).getUint32(0);
  if (crc32(plain) !== check) throw new RangeError('the check sum differs');
  return plain;
}

function snappyLength(packed: Uint8Array): number {
  let length = 0;
  for (const [index, byte] of packed.subarray(0, 5).entries()) {
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return length;
  }
  throw new RangeError('no length');
}

function zstandard(block: Uint8Array): Uint8Array {
  within(zstdBound(block));
  return decompressZstd(block);
}

function within(length: number): number {
  if (length > LARGEST_BLOCK) throw new RangeError('too large');
  return length;
}
