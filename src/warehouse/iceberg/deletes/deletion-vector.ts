import { crc32 } from 'node:zlib';
import { roaring64 } from './roaring.ts';

const MAGIC = [0xd1, 0xd3, 0x39, 0x64];
const AROUND = 12;

/**
 * The row positions in a `deletion-vector-v1` blob (Puffin specification), ascending, some at a time: the length of magic and
 * vector, the magic, a Roaring bitmap, and a CRC-32 of magic and vector. The blob is the same inside a Puffin file and in the bare files of early
 * writers.
 *
 * @throws RangeError where the bytes are not what the specification says, before the first position is given for all but the
 * bitmap itself
 */
export function* deletionVector(blob: Uint8Array): Generator<readonly bigint[]> {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  if (blob.length < AROUND) throw new RangeError('the vector is cut short');
  if (view.getUint32(0) !== blob.length - 8)
    throw new RangeError('the vector has another length than it says');
  const checked = blob.subarray(4, blob.length - 4);
  if (MAGIC.some((byte, index) => checked[index] !== byte))
    throw new RangeError('this is no deletion vector');
  if (view.getUint32(blob.length - 4) !== crc32(checked)) throw new RangeError('its checksum does not fit');
  yield* roaring64(checked.subarray(MAGIC.length));
}
