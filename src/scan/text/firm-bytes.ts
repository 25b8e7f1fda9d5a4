/**
 * ASCII characters that {@link fold} makes out of no other one: a text without such a character has none when it is folded either, as
 * letters can (the Kelvin sign is a k).
 */
export const FIRM: readonly number[] = [...new TextEncoder().encode('0123456789@._ ')];

/** Passes over the bytes at most: with more, the search itself is as fast. */
const MOST = 4;

/**
 * The fewest bytes of {@link FIRM} of which every pattern holds one, greedily; null where there are none. Bytes without any of them
 * hold no pattern, as they are or folded.
 */
export function firmBytes(patterns: readonly Uint8Array[]): readonly number[] | null {
  const chosen: number[] = [];
  for (let left = patterns; left.length > 0 && chosen.length <= MOST; ) {
    const lacking = FIRM.map((byte) => left.filter((pattern) => !pattern.includes(byte)));
    const fewest = Math.min(...lacking.map((patterns) => patterns.length));
    if (fewest === left.length) return null;
    const best = lacking.findIndex((patterns) => patterns.length === fewest);
    chosen.push(FIRM[best]!);
    left = lacking[best]!;
  }
  return chosen.length > MOST ? null : chosen;
}

/** Whether one of some bytes stands among others, by the runtime's own `memchr`. */
export function holdsAny(bytes: Uint8Array, sought: readonly number[]): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return sought.some((byte) => buffer.includes(byte));
}
