import { Buffer } from 'node:buffer';
import { parse } from '../documents.ts';
import { ByteTable } from './byte-table.ts';
import { ColumnLineageScan } from './column-lineage-scan.ts';
import { BACKSLASH, COLON, COMMA, NOWHERE, OPEN_OBJECT, past, pastValue, standsAt } from './json-bytes.ts';
import { pastKey } from './plain-text.ts';
import { SchemaScan } from './schema-scan.ts';
import { wordsOf } from './words.ts';

/** A part that was cut out of an event: from where up to where it stands in its scan. */
export interface Cut {
  readonly of: 'columnLineage' | 'schema';
  readonly begin: number;
  readonly end: number;
}

const COLUMN_LINEAGE = Buffer.from('"columnLineage"');
const SCHEMA = Buffer.from('"schema"');
const FIELDS = new TextEncoder().encode('"fields"');
/**
 * So many bytes are left to JSON.parse whole: for few events the code that cuts would be compiled and hardly used, which takes twice as long
 * as they do (2 MB: 0.12 s in place of 0.06).
 */
const WHOLE = 4 * 1024 * 1024;
/** Stands in an event where a part was cut out. Who writes it there by himself says no more than he could have said anyway. */
const MARK = 'cut out, to be read as numbers: ';

/**
 * Parses events one after another, the first few whole. Of the others, the lists of column lineage and schema facets are taken out of
 * their bytes first, as numbers ({@link ColumnLineageScan}, {@link SchemaScan}), and the rest is left to JSON.parse: what was cut out is a
 * valid JSON value of the right shape, and a valid value stands in its place, so the rest is valid where the whole is.
 */
export class EventParser {
  readonly texts = new ByteTable();
  readonly lineage = new ColumnLineageScan(this.texts);
  readonly schemas = new SchemaScan(this.texts);
  #cuts: Cut[] = [];
  #pieces: string[] = [];
  /** Up to where the line is cut up. */
  #from = 0;
  /** Bytes that are still left whole. */
  #whole: number;

  constructor(whole: number = WHOLE) {
    this.#whole = whole;
  }

  /** The value of a line, with marks in place of what was cut out; undefined where it is no JSON. */
  parse(line: Buffer): unknown {
    this.#cuts = [];
    if (line.length <= this.#whole) {
      this.#whole -= line.length;
      return parse(line.toString('utf8'));
    }
    this.#whole = 0;
    this.lineage.begin();
    this.schemas.begin();
    this.#pieces = [];
    this.#from = 0;
    let at = 0;
    for (;;) {
      const lineage = line.indexOf(COLUMN_LINEAGE, at);
      // Lineage is by far the longest part: what stands before it is searched for schemas first, and never the part itself.
      this.#cutSchemas(line, lineage < 0 ? line.length : lineage);
      if (lineage < 0) break;
      this.#cut('columnLineage', line, lineage + COLUMN_LINEAGE.length, lineage);
      at = Math.max(lineage + 1, this.#from);
    }
    this.#pieces.push(line.toString('utf8', this.#from));
    const value = parse(this.#pieces.join(''));
    if (value === undefined) this.taken();
    return value;
  }

  /** What was cut out has been taken: nothing stands for it any more. */
  taken(): void {
    this.#cuts = [];
  }

  /** What was cut out of the event that was parsed last, by what stands in its place; null for any other value. */
  cutAt(value: unknown): Cut | null {
    if (typeof value !== 'string' || !value.startsWith(MARK)) return null;
    return this.#cuts[Number(value.slice(MARK.length))] ?? null;
  }

  #cutSchemas(line: Buffer, end: number): void {
    const before = line.subarray(0, end);
    for (let at = before.indexOf(SCHEMA, this.#from); at >= 0; ) {
      this.#cut('schema', line, at + SCHEMA.length, at);
      at = before.indexOf(SCHEMA, Math.max(at + 1, this.#from));
    }
  }

  /** Cuts the fields out of the facet whose key stands at `key` and ends at `at`, if there are any that can be. */
  #cut(of: Cut['of'], line: Buffer, at: number, key: number): void {
    // A quote inside of a string has a backslash before it; and what was cut out already holds names that may be anything.
    if (key < this.#from || line[key - 1] === BACKSLASH) return;
    const fields = fieldsIn(line, at);
    if (fields === NOWHERE) return;
    const scan = of === 'schema' ? this.schemas : this.lineage;
    const begin = scan.size;
    const end = scan.take(wordsOf(line), fields);
    if (end === NOWHERE) return;
    this.#pieces.push(line.toString('utf8', this.#from, fields), `"${MARK}${this.#cuts.length}"`);
    this.#cuts.push({ of, begin, end: scan.size });
    this.#from = end;
  }
}

/** Where the value of `fields` begins in the object behind a key that ends at `at`. */
function fieldsIn(line: Buffer, at: number): number {
  let next = past(line, past(line, at, COLON), OPEN_OBJECT);
  for (;;) {
    const key = next;
    next = past(line, pastKey(line, key), COLON);
    if (next === NOWHERE || standsAt(line, key, FIELDS)) return next;
    next = past(line, pastValue(line, next), COMMA);
  }
}
