import type { FileScan } from '../file-scan.ts';
import type { IdTrace } from '../traces.ts';
import { type Lookup, textLookup } from './sought.ts';
import { pairOf } from './text-pairs.ts';
import { cellsOf, type Header, headerOf } from './text-rows.ts';

/** Parts of an id that stand within so many characters of one another may be of one record. */
const NEAR = 2000;

/** Where a part of an id stands in a text: its first and last character. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * Seeks one composite id in a file of text: all of its parts as the cells of one line below a header that names them, or behind their
 * names on one line. Parts that only stand near one another (in YAML, in JSON over several lines) may be of one record or of two: that
 * is not proven.
 */
export class CompositeText {
  readonly #trace: IdTrace;
  readonly #scan: FileScan;
  readonly #header: Header | null;
  /** By tuple, by column. */
  readonly #lookups: readonly (readonly Lookup<string>[])[];

  constructor(trace: IdTrace, { scan, first }: { readonly scan: FileScan; readonly first: string }) {
    this.#trace = trace;
    this.#scan = scan;
    const header = headerOf(first, trace.columns);
    this.#header = header !== null && trace.columns.every((name) => header.places.has(name)) ? header : null;
    this.#lookups = trace.values
      .filter((tuple) => tuple.every((part) => part !== null))
      .map((tuple) => tuple.map((literal) => textLookup([{ literal: literal!, shared: trace.shared }])));
  }

  /** Searches the next piece of the file. */
  search(text: string): void {
    const { columns, shared } = this.#trace;
    const where = columns.join(', ');
    if (this.#header !== null && this.#inRows(text, this.#header))
      this.#scan.note({ kind: 'other', where: `cells of ${where}`, shared });
    const near = this.#lookups.map((parts) => this.#nearness(text, parts));
    if (near.includes('one line')) this.#scan.note({ kind: 'other', where: `values of ${where}`, shared });
    else if (near.includes('near'))
      this.#scan.unread(
        `all parts of an id (${where}) stand near one another in it, perhaps not in one record`,
      );
  }

  #inRows(text: string, { delimiter, places }: Header): boolean {
    const { columns } = this.#trace;
    return text.split(/\r?\n/).some((line) => {
      const { cells, whole } = cellsOf(line, delimiter);
      // A value of several lines puts its cells out of place: then each of them is looked at.
      const cellsFor = (name: string): readonly string[] =>
        whole ? cells.slice(places.get(name), places.get(name)! + 1) : cells;
      return this.#lookups.some((parts) =>
        parts.every((part, k) => cellsFor(columns[k]!).some((cell) => isIt(cell, part))),
      );
    });
  }

  #nearness(text: string, parts: readonly Lookup<string>[]): 'one line' | 'near' | 'none' {
    const places = parts.map((part, k) => placesOf(text, this.#trace.columns[k]!, part));
    let found: 'near' | 'none' = 'none';
    for (const first of places[0]!) {
      const chosen = places.map((all) => nearest(all, first));
      if (chosen.some((place) => place === undefined)) continue;
      const from = Math.min(...chosen.map((place) => place!.from));
      const to = Math.max(...chosen.map((place) => place!.to));
      if (to - from > NEAR || leavesRecord(text.slice(from, to))) continue;
      if (!/[\r\n]/.test(text.slice(from, to))) return 'one line';
      found = 'near';
    }
    return found;
  }
}

/** Signs that one record ends and another begins: an item of YAML, an element of XML behind its like, an empty line, a line of a log. */
const NEXT_RECORD = /\n\s*-\s|<\/([\w:.-]+)>\s*<\1[\s>]|\n\s*\n|^[\w.]+=.*\n/;

/** Whether a text goes from one record into another. In JSON a brace that closes what was open, and one that opens behind it, say so. */
function leavesRecord(between: string): boolean {
  let depth = 0;
  let left = false;
  for (const character of between) {
    if (character === '{') {
      if (left) return true;
      depth += 1;
    } else if (character === '}') {
      if (depth === 0) left = true;
      else depth -= 1;
    }
  }
  return NEXT_RECORD.test(between);
}

function placesOf(text: string, name: string, part: Lookup<string>): readonly Place[] {
  return [...text.matchAll(pairOf(name))].flatMap((match) =>
    isIt(match[1] ?? match[2] ?? match[3]!, part)
      ? [{ from: match.index, to: match.index + match[0].length }]
      : [],
  );
}

function nearest(places: readonly Place[], to: Place): Place | undefined {
  return places.reduce<Place | undefined>(
    (best, place) =>
      best === undefined || Math.abs(place.from - to.from) < Math.abs(best.from - to.from) ? place : best,
    undefined,
  );
}

function isIt(value: string, part: Lookup<string>): boolean {
  return part(value) !== undefined || part(value.trim()) !== undefined;
}
