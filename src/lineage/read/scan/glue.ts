import { NOWHERE } from './json-bytes.ts';
import { isSame, type Words, wordsOf } from './words.ts';

/** Parts longer than this are not remembered. */
const LONGEST = 1024;

/**
 * What stands between two values of a list, as it stood there before: a producer writes the same keys, brackets and blanks again
 * and again. What was valid between the same two values once is valid there again.
 */
export class Glue {
  readonly #words: Words;

  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.#words = wordsOf(bytes);
  }

  /** Behind it, where it stands at `at`. */
  past(line: Words, at: number): number {
    const { length } = this.#words.bytes;
    return length > 0 && isSame(line, at, this.#words, 0, length) ? at + length : NOWHERE;
  }
}

/** A copy of some bytes to be remembered; nothing where they are too many. */
export function remembered({ bytes }: Words, begin: number, end: number): Uint8Array {
  return end - begin <= LONGEST ? new Uint8Array(bytes.subarray(begin, end)) : new Uint8Array(0);
}
