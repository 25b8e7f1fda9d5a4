/** Bytes that are read four at a time: a quarter of the steps where long parts are compared. */
export interface Words {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export function wordsOf(bytes: Uint8Array): Words {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** Whether the same `length` bytes stand at two positions. */
export function isSame(a: Words, at: number, b: Words, from: number, length: number): boolean {
  if (at + length > a.bytes.length) return false;
  if (length < 4) {
    for (let next = 0; next < length; next++) if (a.bytes[at + next] !== b.bytes[from + next]) return false;
    return true;
  }
  const [own, other] = [a.view, b.view];
  const last = length - 4;
  // Texts that differ differ most in their last letters.
  if (own.getInt32(at + last, true) !== other.getInt32(from + last, true)) return false;
  for (let next = 0; next < last; next += 4)
    if (own.getInt32(at + next, true) !== other.getInt32(from + next, true)) return false;
  return true;
}
