/**
 * The lower bound of a text: its first `length` code points. Code points, not UTF-16 units or bytes, so that no character
 * is cut (hazard 25).
 */
export function truncateText(text: string, length: number): string {
  return codePoints(text, length).join('');
}

/**
 * The least text of at most `length` code points that no text starting as `text` does exceeds; `text` itself where it is
 * short enough; null where there is none (all its code points are the last one).
 */
export function truncateTextUp(text: string, length: number): string | null {
  const kept = codePoints(text, length);
  if (kept.join('').length === text.length) return text;
  for (let last = kept.length - 1; last >= 0; last--) {
    const next = nextCodePoint(kept[last]!.codePointAt(0)!);
    if (next !== null) return kept.slice(0, last).join('') + String.fromCodePoint(next);
  }
  return null;
}

/** The lower bound of bytes: the first `length`. */
export function truncateBytes(bytes: Uint8Array, length: number): Uint8Array {
  return bytes.slice(0, length);
}

/** As {@link truncateTextUp}, by byte. */
export function truncateBytesUp(bytes: Uint8Array, length: number): Uint8Array | null {
  if (bytes.length <= length) return bytes;
  for (let last = length - 1; last >= 0; last--) {
    const value = bytes[last]!;
    if (value < 0xff) return Uint8Array.of(...bytes.subarray(0, last), value + 1);
  }
  return null;
}

function codePoints(text: string, length: number): string[] {
  const points: string[] = [];
  for (const point of text) {
    if (points.length === length) break;
    points.push(point);
  }
  return points;
}

function nextCodePoint(point: number): number | null {
  if (point === 0x10ffff) return null;
  // Surrogates are no code points of a text: the one after U+D7FF is U+E000.
  return point === 0xd7ff ? 0xe000 : point + 1;
}
