/** The shortest match that the format knows. */
const LEAST_MATCH = 4;

/** Unpacks one LZ4 block to exactly `size` bytes. Throws RangeError for anything else. */
export function unpackLz4(packed: Uint8Array, size: number): Uint8Array {
  const into = new Uint8Array(size);
  if (lz4Block(packed, into, 0) !== size) throw new RangeError('an LZ4 block unpacks to another size');
  return into;
}

/**
 * Unpacks what Parquet calls LZ4: blocks as Hadoop writes them, each behind both of its sizes, or one plain block, as older
 * writers did. Throws RangeError.
 */
export function unpackHadoopLz4(packed: Uint8Array, size: number): Uint8Array {
  return hadoopBlocks(packed, size) ?? unpackLz4(packed, size);
}

function hadoopBlocks(packed: Uint8Array, size: number): Uint8Array | null {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const blocks: { readonly at: number; readonly length: number; readonly size: number }[] = [];
  let unpacked = 0;
  for (let at = 0; at < packed.length; ) {
    if (at + 8 > packed.length) return null;
    const block = { at: at + 8, size: view.getUint32(at), length: view.getUint32(at + 4) };
    at = block.at + block.length;
    unpacked += block.size;
    if (at > packed.length || unpacked > size) return null;
    blocks.push(block);
  }
  if (unpacked !== size) return null;
  const into = new Uint8Array(size);
  let filled = 0;
  for (const block of blocks) {
    const end = lz4Block(packed.subarray(block.at, block.at + block.length), into, filled);
    if (end !== filled + block.size) throw new RangeError('an LZ4 block unpacks to another size');
    filled = end;
  }
  return into;
}

/**
 * Unpacks a block behind what `into` holds up to `at`, to which its matches may reach back. Returns where it ends. Throws RangeError
 * where it is damaged or finds no room.
 */
export function lz4Block(packed: Uint8Array, into: Uint8Array, at: number): number {
  let from = 0;
  let to = at;
  while (from < packed.length) {
    const token = packed[from++]!;
    let literals = token >> 4;
    for (let byte = literals === 15 ? 255 : 0; byte === 255; literals += byte) byte = next(packed, from++);
    if (from + literals > packed.length || to + literals > into.length) throw damaged();
    into.set(packed.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === packed.length) return to;
    const back = next(packed, from++) | (next(packed, from++) << 8);
    let match = token & 15;
    for (let byte = match === 15 ? 255 : 0; byte === 255; match += byte) byte = next(packed, from++);
    match += LEAST_MATCH;
    if (back === 0 || back > to || to + match > into.length) throw damaged();
    if (back >= match) into.copyWithin(to, to - back, to - back + match);
    else for (let k = 0; k < match; k++) into[to + k] = into[to + k - back]!;
    to += match;
  }
  return to;
}

function next(packed: Uint8Array, at: number): number {
  const byte = packed[at];
  if (byte === undefined) throw damaged();
  return byte;
}

function damaged(): RangeError {
  return new RangeError('an LZ4 block is damaged');
}
