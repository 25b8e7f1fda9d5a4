import { isAscii } from 'node:buffer';
import type { SchemaElement } from 'hyparquet';
import type { TextSearch } from '../text/text-search.ts';
import type { Verdict } from '../text/verdict.ts';
import { Unread } from '../unread.ts';
import { deltaLengthTexts, deltaTexts } from './delta.ts';
import { ENCODING, encodingName } from './pages.ts';
import type { Unpacked } from './unpacked.ts';
import { fixedLength, plainBytes } from './values.ts';

/** U+FFFF, a noncharacter: no trace holds it, so nothing is found across two values. */
const BETWEEN = Uint8Array.of(0xef, 0xbf, 0xbf);
/** Values that are folded or joined are searched in batches of about this many bytes. */
const BATCH = 1 << 20;
/** Shorter values are tested for ASCII here; the call to the runtime costs more than it saves. */
const SHORT = 150;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Searches the texts of a page or dictionary, byte for byte, without making a row or a string of any ASCII value. */
export function searchTexts(
  page: Unpacked & { readonly encoding: number },
  {
    element,
    search,
    verdict,
  }: { readonly element: SchemaElement; readonly search: TextSearch; readonly verdict: Verdict },
): void {
  const { bytes, count, encoding } = page;
  const isFixed = element.type === 'FIXED_LEN_BYTE_ARRAY';
  if (encoding === ENCODING.DELTA_BYTE_ARRAY) {
    searchList(deltaTexts(bytes, 0, count), search, verdict);
  } else if (isFixed) {
    const width = fixedLength(element);
    searchFixed(plainBytes(bytes, encoding, { width, count }), { width, search, verdict });
  } else if (encoding === ENCODING.DELTA_LENGTH_BYTE_ARRAY) {
    searchList(deltaLengthTexts(bytes, 0, count), search, verdict);
  } else if (encoding === ENCODING.PLAIN) {
    searchPlain(bytes, count, { search, verdict });
  } else {
    throw new Unread(`texts are in the encoding ${encodingName(encoding)}, which cannot be read`);
  }
}

/** A length of four bytes stands before each value; its highest byte is 0, and so keeps values apart. */
function searchPlain(
  bytes: Uint8Array,
  count: number,
  { search, verdict }: { readonly search: TextSearch; readonly verdict: Verdict },
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkLengths(view, count);
  if (!search.mayHold(bytes)) return;
  if (search.hasCells || !isAscii(bytes)) {
    const folded = new Folded(search, verdict);
    for (let at = 0; at < bytes.length; ) {
      const from = at + 4;
      at = from + view.getUint32(at, true);
      folded.value(bytes, from, at);
    }
    folded.finish();
  }
  search.exact(
    bytes,
    { from: 0, to: bytes.length, inside: (hit, length) => insidePlain(view, hit, length) },
    verdict,
  );
}

/** Reads all lengths, so that a damaged page is known, even where no value can be a trace. */
function checkLengths(view: DataView, count: number): void {
  const size = view.byteLength;
  let at = 0;
  for (let n = 0; n < count; n++) {
    if (at + 4 > size) throw new Unread('a page ends early');
    at += 4 + view.getUint32(at, true);
    if (at > size) throw new Unread('a text is longer than its page');
  }
  if (at !== size) throw new Unread('a page holds more than its values');
}

/** Whether a hit lies within one value: only a trace that holds a zero byte can reach beyond, so this hardly ever runs. */
function insidePlain(view: DataView, hit: number, length: number): boolean {
  for (let at = 0; at <= hit; ) {
    const to = at + 4 + view.getUint32(at, true);
    if (hit < to) return hit >= at + 4 && hit + length <= to;
    at = to;
  }
  return false;
}

function searchFixed(
  bytes: Uint8Array,
  {
    width,
    search,
    verdict,
  }: { readonly width: number; readonly search: TextSearch; readonly verdict: Verdict },
): void {
  if (search.hasCells || !isAscii(bytes)) {
    const folded = new Folded(search, verdict);
    for (let at = 0; at < bytes.length; at += width) folded.value(bytes, at, at + width);
    folded.finish();
  }
  const inside = (hit: number, length: number): boolean => (hit % width) + length <= width;
  search.exact(bytes, { from: 0, to: bytes.length, inside }, verdict);
}

function searchList(values: readonly Uint8Array[], search: TextSearch, verdict: Verdict): void {
  const folded = new Folded(search, verdict);
  let batch: Uint8Array[] = [];
  let size = 0;
  const flush = (): void => {
    const bytes = Buffer.concat(batch);
    search.exact(bytes, { from: 0, to: bytes.length }, verdict);
    batch = [];
    size = 0;
  };
  for (const value of values) {
    folded.value(value, 0, value.length);
    batch.push(value, BETWEEN);
    size += value.length;
    if (size > BATCH) flush();
  }
  flush();
  folded.finish();
}

/** Gathers the values that are not ASCII, folds them together and searches them; tests each value as a whole cell. */
class Folded {
  readonly #search: TextSearch;
  readonly #verdict: Verdict;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(search: TextSearch, verdict: Verdict) {
    this.#search = search;
    this.#verdict = verdict;
  }

  value(bytes: Uint8Array, from: number, to: number): void {
    if (this.#search.hasCells) this.#search.cell(bytes.subarray(from, to), this.#verdict);
    if (asciiOnly(bytes, from, to)) return;
    this.#parts.push(bytes.subarray(from, to), BETWEEN);
    this.#size += to - from;
    if (this.#size > BATCH) this.finish();
  }

  finish(): void {
    if (this.#parts.length === 0) return;
    this.#search.folded(utf8.decode(Buffer.concat(this.#parts)), this.#verdict);
    this.#parts = [];
    this.#size = 0;
  }
}

function asciiOnly(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > SHORT) return isAscii(bytes.subarray(from, to));
  let all = 0;
  for (let i = from; i < to; i++) all |= bytes[i]!;
  return all < 128;
}
