import type { LocalReader } from '../../storage/local-reader.ts';

/** Bytes of a column that are in memory at once, unless one page is larger; a processor keeps them at hand until they are unpacked. */
const WINDOW = 1 << 19;
/** A larger page gets memory of its own, which is given back. */
const KEPT = 32 << 20;

/** Used again for every column of a thread: one is read at a time. */
let kept = new Uint8Array(0);

/** A part of a file that is read from its beginning to its end. What it hands out stays as it is until it is asked again. */
export class Window {
  readonly #source: LocalReader;
  readonly #from: number;
  readonly length: number;
  #buffer: Uint8Array;
  /** What the buffer holds, as places in the part. */
  #start = 0;
  #end = 0;

  constructor(source: LocalReader, part: { readonly from: number; readonly length: number }) {
    this.#source = source;
    this.#from = part.from;
    this.length = part.length;
    this.#buffer = kept;
  }

  /** `length` bytes at a place of the part, which never goes back. The caller has checked that they lie within it. */
  bytes(at: number, length: number): Uint8Array {
    if (at + length > this.#end || at < this.#start) this.#fill(at, length);
    return this.#buffer.subarray(at - this.#start, at - this.#start + length);
  }

  #fill(at: number, length: number): void {
    const end = Math.min(this.length, at + Math.max(length, WINDOW));
    const still = this.#buffer.subarray(Math.min(at, this.#end) - this.#start, this.#end - this.#start);
    if (end - at > this.#buffer.length || this.#buffer.length > KEPT) {
      const larger = new Uint8Array(Math.max(end - at, Math.min(WINDOW, this.length)));
      larger.set(still);
      this.#buffer = larger;
      if (larger.length <= KEPT) kept = larger;
    } else this.#buffer.set(still);
    const had = still.length;
    this.#source.readInto(this.#buffer.subarray(had, end - at), this.#from + at + had);
    this.#start = at;
    this.#end = end;
  }
}
