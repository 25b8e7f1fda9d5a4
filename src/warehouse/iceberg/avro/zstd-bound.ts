const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const LARGEST_ZSTD_BLOCK = 128 * 1024;

/**
 * The most bytes that zstd data can unpack to, read from the frame and block headers (RFC 8878, section 3.1) without
 * unpacking anything, so that a bomb is refused before it costs memory.
 *
 * @throws RangeError for bytes that are no whole zstd frames
 */
export function zstdBound(packed: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let at = 0;
  let bound = 0;
  while (at < packed.length) {
    const magic = view.getUint32(at, true);
    if ((magic & 0xffff_fff0) >>> 0 === SKIPPABLE_MAGIC) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== FRAME_MAGIC) throw new RangeError('no zstd frame');
    const frame = frameBound(view, at + 4);
    bound += frame.bound;
    at = frame.end;
  }
  return bound;
}

function frameBound(view: DataView, start: number): { readonly bound: number; readonly end: number } {
  const descriptor = view.getUint8(start);
  const single = (descriptor >> 5) & 1;
  const checksum = (descriptor >> 2) & 1;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? single : 1 << sizeFlag;
  let at = start + 1 + (1 - single) + dictionaryBytes;
  // The declared size is what a decoder allocates, so it counts even where the blocks hold less.
  let bound = declaredSize(view, at, sizeBytes);
  at += sizeBytes;
  let fromBlocks = 0;
  for (let last = false; !last; ) {
    const header = view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
    last = (header & 1) === 1;
    const kind = (header >> 1) & 3;
    const size = header >> 3;
    if (kind === 3) throw new RangeError('a reserved block');
    fromBlocks += kind === 2 ? LARGEST_ZSTD_BLOCK : size;
    at += 3 + (kind === 1 ? 1 : size);
  }
  bound = Math.max(bound, fromBlocks);
  return { bound, end: at + checksum * 4 };
}

function declaredSize(view: DataView, at: number, bytes: number): number {
  switch (bytes) {
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getUint16(at, true) + 256;
    case 4:
      return view.getUint32(at, true);
    case 8:
      return Number(view.getBigUint64(at, true));
    default:
      return 0;
  }
}
