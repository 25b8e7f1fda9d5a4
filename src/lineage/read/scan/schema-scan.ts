import { grown } from '../../grown.ts';
import { type ByteTable, NO_TEXT } from './byte-table.ts';
import { Glue, remembered } from './glue.ts';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  NOWHERE,
  OPEN_LIST,
  OPEN_OBJECT,
  past,
  pastBlanks,
  QUOTE,
  standsAt,
} from './json-bytes.ts';
import { PlainText, pastKey, pastValid } from './plain-text.ts';
import type { Words } from './words.ts';

const NAME = new TextEncoder().encode('"name"');
const TYPE = new TextEncoder().encode('"type"');

/**
 * Takes the `fields` of `schema` facets out of the bytes of an event, as `ColumnLineageScan` does those of lineage: plain ones
 * only, and those that are written as the ones before by comparing.
 */
export class SchemaScan {
  /** Columns taken since {@link begin}. */
  size = 0;
  /** By column: the texts of its name and of its type, {@link NO_TEXT} where it has none. */
  names = new Int32Array(256);
  types = new Int32Array(256);
  readonly #texts: ByteTable;
  readonly #text: PlainText;
  /** What stands before a name, between that and its type, and between that and the next column. */
  #toName = new Glue();
  #toType = new Glue();
  #toNext = new Glue();
  #lastType = NO_TEXT;
  /** Behind the type of the column that was read letter by letter, if it stood after the name. */
  #typeEnd = NOWHERE;
  /** By text: the column that came after it last. */
  #after = new Int32Array(256).fill(NO_TEXT);

  constructor(texts: ByteTable) {
    this.#texts = texts;
    this.#text = new PlainText(texts);
  }

  /** Begins the next event. */
  begin(): void {
    this.size = 0;
  }

  /** Takes the list at `at`; behind it, or nowhere where it was left. */
  take(line: Words, at: number): number {
    const before = this.size;
    const end = this.#list(line, at);
    if (end === NOWHERE) this.size = before;
    return end;
  }

  #list(line: Words, at: number): number {
    const { bytes } = line;
    let next = past(bytes, at, OPEN_LIST);
    for (let last = NO_TEXT; ; last = this.names[this.size - 1]!) {
      const quick = this.#likely(line, next, last);
      if (quick !== NOWHERE) {
        next = quick;
        continue;
      }
      next = this.#column(line, next);
      if (next === NOWHERE) return NOWHERE;
      if (last !== NO_TEXT) this.#after[last] = this.names[this.size - 1]!;
      next = pastBlanks(bytes, next);
      if (bytes[next] === CLOSE_LIST) return next + 1;
      next = past(bytes, next, COMMA);
      if (this.#typeEnd !== NOWHERE) this.#toNext = new Glue(remembered(line, this.#typeEnd, next));
    }
  }

  /** Behind a column that is written as the ones before, where the next one begins. */
  #likely(line: Words, at: number, last: number): number {
    let next = this.#toName.past(line, at);
    if (next === NOWHERE) return NOWHERE;
    next = this.#pastLikely(line, next, last === NO_TEXT ? NO_TEXT : this.#after[last]!);
    const name = this.#text.text;
    if (next !== NOWHERE) next = this.#toType.past(line, next);
    if (next !== NOWHERE) next = this.#pastLikely(line, next, this.#lastType);
    const type = this.#text.text;
    if (next !== NOWHERE) next = this.#toNext.past(line, next);
    if (next === NOWHERE) return NOWHERE;
    this.#lastType = type;
    this.#add(name, type);
    if (last !== NO_TEXT) this.#after[last] = name;
    return next;
  }

  #pastLikely(line: Words, at: number, likely: number): number {
    const end = likely === NO_TEXT ? NOWHERE : this.#texts.past(likely, line, at);
    if (end === NOWHERE) return this.#text.pastEnd(line, at);
    this.#text.text = likely;
    return end;
  }

  #column(line: Words, at: number): number {
    const { bytes } = line;
    let [name, type] = [NO_TEXT, NO_TEXT];
    let nameEnd = NOWHERE;
    this.#typeEnd = NOWHERE;
    let next = past(bytes, at, OPEN_OBJECT);
    const first = next;
    for (;;) {
      const begin = next;
      const value = past(bytes, pastKey(bytes, begin), COLON);
      if (standsAt(bytes, begin, NAME)) {
        if (name !== NO_TEXT) return NOWHERE;
        next = this.#text.past(line, value);
        name = this.#text.text;
        if (begin === first) {
          this.#toName = new Glue(remembered(line, at, value + 1));
          nameEnd = next;
        }
      } else if (standsAt(bytes, begin, TYPE)) {
        if (type !== NO_TEXT || bytes[value] !== QUOTE) return NOWHERE;
        next = this.#text.past(line, value);
        type = this.#text.text;
        if (nameEnd !== NOWHERE) {
          this.#toType = new Glue(remembered(line, nameEnd, value + 1));
          this.#typeEnd = next;
        }
      } else next = pastValid(bytes, value);
      if (next === NOWHERE) return NOWHERE;
      next = pastBlanks(bytes, next);
      if (bytes[next] === CLOSE_OBJECT) break;
      next = past(bytes, next, COMMA);
    }
    if (name === NO_TEXT) return NOWHERE;
    this.#add(name, type);
    return next + 1;
  }

  #add(name: number, type: number): void {
    if (this.size === this.names.length) {
      this.names = grown(this.names, { size: this.size * 2, fill: NO_TEXT });
      this.types = grown(this.types, { size: this.size * 2, fill: NO_TEXT });
    }
    this.names[this.size] = name;
    this.types[this.size] = type;
    this.size += 1;
    if (name >= this.#after.length) this.#after = grown(this.#after, { size: name * 2, fill: NO_TEXT });
  }
}
