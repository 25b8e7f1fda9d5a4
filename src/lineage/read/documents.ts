import type { Buffer } from 'node:buffer';

/** Takes the JSON values of a file one by one, each with its text, and what could not be read; lines count from 1. */
export interface DocumentSink {
  /** The value that a whole line is; undefined where it is none. */
  parse(line: Buffer): unknown;
  document(line: number, value: unknown, text: () => string): void;
  fault(line: number, why: string): void;
}

const OPEN_OBJECT = 0x7b;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
/** Between values: white space, and the commas and brackets of an array around them. */
const BETWEEN = /[\s,[\]]/;

/**
 * Splits the lines of a file into JSON values however they were written: one a line, several after one another
 * (pretty-printed or not), or in one array. A broken value is reported and the next ones are read. JSON.parse is safe here,
 * because no number of an event is an id.
 *
 * A line that is one whole value is parsed at once, because that is what transports write. Elsewhere each character is
 * looked at once, so that the cost stays linear in a file of any shape.
 */
export class DocumentReader {
  readonly #sink: DocumentSink;
  #line = 0;
  /** The value that has begun and not ended: its text so far, where it began, and what is open in it. */
  #text: string[] = [];
  #begun = 0;
  #depth = 0;
  #quoted = false;
  /** Bad lines one after another are one fault: a file that is no JSON at all is reported once. */
  #faulty = false;

  constructor(sink: DocumentSink) {
    this.#sink = sink;
  }

  /** Takes the next line, without its end. */
  line(bytes: Buffer): void {
    this.#line += 1;
    const line = this.#line === 1 && hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes;
    if (line[0] === OPEN_OBJECT) {
      const value = this.#sink.parse(line);
      if (value !== undefined && (this.#depth === 0 || this.#cutOffBy(value))) {
        this.#emit(this.#line, value, () => line.toString('utf8'));
        return;
      }
    }
    this.#scan(line.toString('utf8'));
  }

  /** The end of the file. A value that is still open was cut off. */
  end(): void {
    if (this.#depth > 0) this.#giveUp('the file ends in the middle of a JSON value');
  }

  /** Whether an open value was cut off, because a whole event stands where it should go on. */
  #cutOffBy(value: unknown): boolean {
    if (!isWholeEvent(value)) return false;
    this.#giveUp('a JSON value is cut off before the next one begins');
    return true;
  }

  #scan(line: string): void {
    let from = 0;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (this.#depth === 0) {
        if (code === OPEN_OBJECT) {
          this.#begun = this.#line;
          this.#depth = 1;
          from = at;
        } else if (!BETWEEN.test(line[at]!)) {
          this.#fault(this.#line, 'not JSON');
          return;
        }
      } else if (this.#quoted) {
        if (code === BACKSLASH) at += 1;
        else if (code === QUOTE) this.#quoted = false;
      } else if (code === QUOTE) this.#quoted = true;
      else if (OPENING.has(code)) this.#depth += 1;
      else if (CLOSING.has(code)) {
        this.#depth -= 1;
        if (this.#depth === 0) this.#finish(line.slice(from, at + 1));
      }
    }
    if (this.#depth > 0) this.#text.push(line.slice(from), '\n');
  }

  #finish(last: string): void {
    const text = this.#text.join('') + last;
    const value = parse(text);
    this.#text = [];
    if (value === undefined) this.#fault(this.#begun, 'not JSON');
    else this.#emit(this.#begun, value, () => text);
  }

  #giveUp(why: string): void {
    this.#fault(this.#begun, why);
    this.#text = [];
    this.#depth = 0;
    this.#quoted = false;
  }

  #emit(line: number, value: unknown, text: () => string): void {
    this.#faulty = false;
    this.#sink.document(line, value, text);
  }

  #fault(line: number, why: string): void {
    if (!this.#faulty) this.#sink.fault(line, why);
    this.#faulty = true;
  }
}

function hasByteOrderMark(line: Buffer): boolean {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
}

/** The value that a text is; undefined where it is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isWholeEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'eventTime' in value && ('job' in value || 'dataset' in value);
}
