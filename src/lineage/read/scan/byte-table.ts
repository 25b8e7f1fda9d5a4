import { Buffer } from 'node:buffer';
import { NOWHERE, QUOTE } from './json-bytes.ts';
import { isSame, type Words, wordsOf } from './words.ts';

/** Stands for a text that is not to be numbered. */
export const NO_TEXT = -1;

/** Begins the hash of a text; {@link hashed} takes its bytes one after another. */
export const HASH = 0x811c9dc5 | 0;

/** FNV-1a over bytes: cheap, and good enough for the names of columns. */
export function hashed(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/**
 * Numbers texts by their bytes, in the order in which they are first seen, so that a text that was seen before is known without
 * making a string of it.
 */
export class ByteTable {
  readonly texts: string[] = [];
  #words = wordsOf(new Uint8Array(1 << 14));
  #used = 0;
  /** By text: its hash, and where its bytes begin; those of the next one begin where they end. */
  #hashes = new Int32Array(256);
  #begins = new Int32Array(257);
  /** A text and one; 0 where the slot is free. */
  #slots = new Int32Array(1024);

  /**
   * The number of the text in `line` from `begin` up to `end`, whose hash is `hash`; {@link NO_TEXT} where it is no valid UTF-8.
   */
  number(line: Words, begin: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    // The highest bits are the best mixed.
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let found = this.#slots[slot]!; found !== 0; found = this.#slots[slot]!) {
      if (this.#hashes[found - 1] === hash && this.#holds(found - 1, line, begin, end)) return found - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(line.bytes, begin, end, hash);
  }

  /** Behind a text and the quote that ends it, where they stand at `at`; -1 where they do not. */
  past(text: number, line: Words, at: number): number {
    const begin = this.#begins[text]!;
    const length = this.#begins[text + 1]! - begin;
    if (line.bytes[at + length] !== QUOTE || !isSame(line, at, this.#words, begin, length)) return NOWHERE;
    return at + length + 1;
  }

  #holds(text: number, line: Words, begin: number, end: number): boolean {
    const from = this.#begins[text]!;
    const length = this.#begins[text + 1]! - from;
    return length === end - begin && isSame(line, begin, this.#words, from, length);
  }

  #add(bytes: Uint8Array, begin: number, end: number, hash: number): number {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin).toString('utf8');
    // What stands for bytes that are none of a letter would make one text of two.
    if (text.includes('\ufffd')) return NO_TEXT;
    const number = this.texts.length;
    if (number === this.#hashes.length) this.#grow();
    while (this.#used + end - begin > this.#words.bytes.length)
      this.#words = wordsOf(copied(this.#words.bytes, new Uint8Array(this.#words.bytes.length * 2)));
    this.#words.bytes.set(bytes.subarray(begin, end), this.#used);
    this.#used += end - begin;
    this.#begins[number + 1] = this.#used;
    this.#hashes[number] = hash;
    this.texts.push(text);
    this.#place(number);
    return number;
  }

  #place(text: number): void {
    const hash = this.#hashes[text]!;
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = text + 1;
  }

  #grow(): void {
    const size = this.#hashes.length * 2;
    this.#hashes = copied(this.#hashes, new Int32Array(size));
    this.#begins = copied(this.#begins, new Int32Array(size + 1));
    this.#slots = new Int32Array(size * 4);
    for (let text = 0; text < this.texts.length; text++) this.#place(text);
  }
}

function copied<T extends Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
