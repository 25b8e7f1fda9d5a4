import { isAscii, isUtf8 } from 'node:buffer';
import type { TextTrace } from '../traces.ts';
import { type Finder, finder } from './finder.ts';
import { firmBytes, holdsAny } from './firm-bytes.ts';
import { fold } from './fold.ts';
import { variants } from './variants.ts';
import type { Verdict } from './verdict.ts';

const encoder = new TextEncoder();
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const utf16 = { little: new TextDecoder('utf-16le'), big: new TextDecoder('utf-16be') };

/** What delimits a cell in text files, whose grammar the scan does not know. */
const CELL_ENDS = /[,;|\t\r\n"']/;

/**
 * Finds text traces in bytes and strings (rule S1). Made once, for all of a scan's files.
 *
 * Bytes are searched as they are, ASCII case aside; what is not ASCII is folded and searched again, so that every
 * writing of an accented name meets its trace.
 */
export class TextSearch {
  readonly #patterns: readonly Uint8Array[];
  readonly #shared: readonly boolean[];
  readonly #find: Finder;
  /** Every pattern holds one of these, in any writing; null where that is true of no few bytes, and with whole cells. */
  readonly #firm: readonly number[] | null;
  /** Whole cells to shared or not. */
  readonly #cells: ReadonlyMap<string, boolean>;
  /** No cell is longer than this in bytes, in any writing that folds to one. */
  readonly #longestCell: number;
  /** Bytes that two windows of a long text must share so that no trace falls between them. */
  readonly overlap: number;

  constructor(texts: readonly TextTrace[]) {
    const contained = merged(texts.filter((trace) => !trace.wholeCell));
    this.#patterns = [...contained.keys()].map((text) => encoder.encode(text));
    this.#shared = [...contained.values()];
    this.#find = this.#patterns.length === 0 ? () => {} : finder(this.#patterns);
    this.#cells = merged(texts.filter((trace) => trace.wholeCell));
    this.#firm = this.#cells.size > 0 ? null : firmBytes(this.#patterns);
    this.#longestCell = Math.max(0, ...[...this.#cells.keys()].map((cell) => cell.length * 12));
    // A folded text can come from a longer one: decomposed accents, two-byte units, percent-encoding.
    this.overlap = 12 * Math.max(64, ...this.#patterns.map((pattern) => pattern.length));
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0 && this.#cells.size === 0;
  }

  get hasCells(): boolean {
    return this.#cells.size > 0;
  }

  /** Whether a trace may stand among these bytes, as they are or folded; that they lack what every trace holds is learned at once. */
  mayHold(bytes: Uint8Array): boolean {
    return this.#firm === null || holdsAny(bytes, this.#firm);
  }

  /** Searches text that a format's reader gave: one cell, a name, a path. */
  text(text: string, verdict: Verdict): void {
    if (this.isEmpty) return;
    this.#one(text, verdict);
    for (const variant of variants(text)) this.#one(variant, verdict);
  }

  /** Whether a cell of these bytes is a whole trace. */
  cell(bytes: Uint8Array, verdict: Verdict): void {
    if (bytes.length > this.#longestCell) return;
    this.#cellText(utf8.decode(bytes), verdict);
  }

  /** Searches bytes whose grammar is known to keep values apart; `inside` says whether a place lies in one value. */
  exact(
    bytes: Uint8Array,
    place: {
      readonly from: number;
      readonly to: number;
      readonly inside?: (at: number, length: number) => boolean;
    },
    verdict: Verdict,
  ): void {
    this.#find(bytes, place.from, place.to, (id, at) => {
      if (place.inside !== undefined && !place.inside(at, this.#patterns[id]!.length)) return false;
      return verdict.add(this.#shared[id]!);
    });
  }

  /** Folds text and searches it; values in it are kept apart by U+FFFF, which no trace holds. */
  folded(text: string, verdict: Verdict): void {
    const plain = encoder.encode(text);
    // Where each character takes one byte, all are ASCII, whose cases the search knows.
    const bytes = plain.length === text.length ? plain : encoder.encode(fold(text));
    this.exact(bytes, { from: 0, to: bytes.length }, verdict);
  }

  /**
   * Searches bytes of no known grammar: as they are, folded as UTF-8, without escapes and percent-encoding, and as
   * UTF-16 where the bytes may be that.
   */
  raw(bytes: Uint8Array, verdict: Verdict, options: { readonly utf16?: boolean } = {}): void {
    if (this.isEmpty) return;
    this.exact(bytes, { from: 0, to: bytes.length }, verdict);
    if (verdict.found) return;
    const ascii = isAscii(bytes);
    if (!ascii || this.hasCells || bytes.includes(0x5c) || bytes.includes(0x25) || bytes.includes(0x2b)) {
      const text = utf8.decode(bytes);
      if (!ascii) this.folded(text, verdict);
      this.#cellsOf(text, verdict);
      for (const variant of variants(text)) {
        this.folded(variant, verdict);
        this.#cellsOf(variant, verdict);
      }
    }
    if (options.utf16 !== true || verdict.found || !mayBeUtf16(bytes)) return;
    for (const decoder of [utf16.little, utf16.big]) {
      for (const from of [0, 1]) {
        const text = decoder.decode(bytes.subarray(from));
        this.folded(text, verdict);
        this.#cellsOf(text, verdict);
      }
    }
  }

  #one(text: string, verdict: Verdict): void {
    this.folded(text, verdict);
    this.#cellText(text, verdict);
  }

  #cellText(text: string, verdict: Verdict): void {
    if (this.#cells.size === 0 || text.length > this.#longestCell) return;
    const shared = this.#cells.get(fold(text.trim()));
    if (shared !== undefined) verdict.add(shared);
  }

  #cellsOf(text: string, verdict: Verdict): void {
    if (this.#cells.size === 0) return;
    for (const cell of text.split(CELL_ENDS)) this.#cellText(cell, verdict);
  }
}

/** One entry for each text; it is shared only where every trace of it is. */
function merged(texts: readonly TextTrace[]): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const { text, shared } of texts) found.set(text, (found.get(text) ?? true) && shared);
  return found;
}

/** UTF-16 of a script of Latin, Greek or Cyrillic has zero bytes or low high-bytes; all of it fails as UTF-8 or has a mark. */
function mayBeUtf16(bytes: Uint8Array): boolean {
  const mark =
    bytes.length >= 2 &&
    ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff));
  return mark || bytes.includes(0) || !isUtf8(bytes);
}
