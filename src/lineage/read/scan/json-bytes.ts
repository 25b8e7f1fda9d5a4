/** Positions in the bytes of JSON; -1 stands for what is not there. */
export const NOWHERE = -1;

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;

/** The first position from `at` on that is no white space. */
export function pastBlanks(bytes: Uint8Array, at: number): number {
  let byte = bytes[at];
  if (byte !== undefined && byte > 0x20) return at;
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++at];
  return at;
}

/** Behind a byte and the blanks before and after it. */
export function past(bytes: Uint8Array, at: number, byte: number): number {
  const found = pastBlanks(bytes, at);
  return bytes[found] === byte ? pastBlanks(bytes, found + 1) : NOWHERE;
}

/** Whether some bytes stand at a position. */
export function standsAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let next = 0; next < wanted.length; next++) if (bytes[at + next] !== wanted[next]) return false;
  return true;
}

/** Behind the string whose first character stands at `at`, whatever is in it. */
export function pastString(bytes: Uint8Array, at: number): number {
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next]!;
    if (byte === QUOTE) return next + 1;
    if (byte === BACKSLASH) next += 1;
  }
  return NOWHERE;
}

/**
 * Behind the value that begins at `at`, found by its quotes and brackets alone: whether it is valid JSON is for a parser to say.
 */
export function pastValue(bytes: Uint8Array, at: number): number {
  if (at === NOWHERE) return NOWHERE;
  let depth = 0;
  for (let next = at; next < bytes.length; ) {
    const byte = bytes[next]!;
    if (byte === QUOTE) {
      next = pastString(bytes, next + 1);
      if (next === NOWHERE) return NOWHERE;
      if (depth === 0) return next;
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === 0) return next;
      depth -= 1;
      if (depth === 0) return next + 1;
    } else if (byte === COMMA && depth === 0) return next;
    next += 1;
  }
  return NOWHERE;
}
