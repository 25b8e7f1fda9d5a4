import { Buffer } from 'node:buffer';
import { type ByteTable, HASH, hashed, NO_TEXT } from './byte-table.ts';
import { BACKSLASH, NOWHERE, pastValue, QUOTE } from './json-bytes.ts';
import type { Words } from './words.ts';

/** Reads the strings of JSON as numbers of a {@link ByteTable}; those with an escape are left to a parser. */
export class PlainText {
  readonly #texts: ByteTable;
  /** The text that was read last. */
  text = NO_TEXT;

  constructor(texts: ByteTable) {
    this.#texts = texts;
  }

  /** Behind the string at `at`, which becomes {@link text}; nowhere where there is none, or none that is plain. */
  past(line: Words, at: number): number {
    return line.bytes[at] === QUOTE ? this.pastEnd(line, at + 1) : NOWHERE;
  }

  /** The same for a string whose first letter stands at `begin`. */
  pastEnd(line: Words, begin: number): number {
    const { bytes } = line;
    const size = bytes.length;
    let hash = HASH;
    let next = begin;
    for (; next < size; next++) {
      const byte = bytes[next]!;
      if (byte === QUOTE) break;
      if (byte < 0x20 || byte === BACKSLASH) return NOWHERE;
      hash = hashed(hash, byte);
    }
    if (next === size) return NOWHERE;
    this.text = this.#texts.number(line, begin, next, hash);
    return this.text === NO_TEXT ? NOWHERE : next + 1;
  }
}

/** Behind a value of any kind that a parser finds valid. */
export function pastValid(bytes: Uint8Array, at: number): number {
  const end = bytes[at] === QUOTE ? pastPlainString(bytes, at + 1) : NOWHERE;
  if (end !== NOWHERE) return end;
  const found = pastValue(bytes, at);
  return found !== NOWHERE && parsed(bytes, at, found) !== undefined ? found : NOWHERE;
}

/** Behind a key that is written without escapes. */
export function pastKey(bytes: Uint8Array, at: number): number {
  return bytes[at] === QUOTE ? pastPlainString(bytes, at + 1) : NOWHERE;
}

/** The value that stands in some bytes; undefined where they are no JSON. */
export function parsed(bytes: Uint8Array, begin: number, end: number): unknown {
  try {
    return JSON.parse(textOf(bytes, begin, end));
  } catch {
    return undefined;
  }
}

export function textOf(bytes: Uint8Array, begin: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin).toString('utf8');
}

function pastPlainString(bytes: Uint8Array, at: number): number {
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next]!;
    if (byte === QUOTE) return next + 1;
    if (byte < 0x20 || byte === BACKSLASH) return NOWHERE;
  }
  return NOWHERE;
}
